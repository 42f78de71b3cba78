r"""The Vision Transformer of lecture 14b, from the image to ten logits, with shapes.

The image is a digit of the data set, and its pixels are the shades of the cells, in the
image and in the patches. What a network makes of them has no meaning before training,
so those grids show only which rows there are.
"""

from dataclasses import replace

import numpy as np

from course_lib.data import digits
from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Op,
    Step,
    Tensor,
    above,
    below,
    right_of,
)

SIDE, P, WIDTH = 8, 2, 5  # pixels, pixels of a patch, columns drawn of the width d
COUNT = (SIDE // P) ** 2
CELL = (0.13, 0.13)

STEPS = (
    Step(
        "Cut",
        "image > patches",
        "",
        "The image of 8 by 8 pixels is cut into 16 patches of 2 by 2, row by row. Each "
        "patch is a row of four numbers.",
    ),
    Step(
        "Embed",
        "patches > embed > front",
        r"$x_n = W\,\mathrm{patch}_n + b$",
        "One matrix turns every patch into a vector of width d: a patch is a word, and "
        "this is its embedding.",
    ),
    Step(
        "Class token and places",
        "class_token > front > plus, places > plus > tokens",
        r"$x_0 = c, \quad x_n \leftarrow x_n + P_n$",
        "A learned vector c, the class token, stands in front as element 0. Then each "
        "of the 17 gets the learned vector of its place.",
    ),
    Step(
        "Encoder",
        "tokens > encoder > out",
        r"$2 \times$ (attention, feed-forward)",
        "Two ordinary encoder layers, without a mask: every patch reads every patch, "
        "and the class token reads them all.",
    ),
    Step(
        "Read off",
        "out > head > logits",
        r"$\hat y = \mathrm{softmax}(W_o\, \mathrm{LN}(x_0) + b_o)$",
        "Row 0, where the class token stood, has gathered what it needs. A linear "
        "layer turns it into ten logits; the other 16 rows are not used.",
        mark={"out": (0, None)},
    ),
)
DESCRIPTION = (
    "The Vision Transformer. An image of 8 by 8 pixels is cut into 16 patches of four "
    "pixels. A linear layer makes 16 vectors of them; a learned class token is put in "
    "front, and learned vectors of the 17 places are added. Two encoder layers follow. "
    "A LayerNorm and a linear layer turn row 0 into ten logits."
)


def vision_transformer() -> Diagram:
    """From left to right: the digit, its patches, and the rows made of them."""
    digit = digits.load(seed=0)[1].images[0].numpy()
    cut = digit.reshape(SIDE // P, P, SIDE // P, P).swapaxes(1, 2).reshape(COUNT, P * P)
    image = _grid("image", digit, "image", "$(8, 8)$", "input")
    patches = _grid("patches", cut, "patches", "$(16, 4)$", "input")
    image, patches = replace(image, shaded=True), replace(patches, shaded=True)
    patches = right_of(image, patches, gap=0.3)
    embed = right_of(patches, Box("embed", "Linear", role="parameter"), gap=0.3)
    front = Box("front", "put in\nfront", high=0.5)
    front = right_of(embed, front, gap=0.25)
    plus = right_of(front, Op("plus", "+", radius=0.15), gap=0.25)
    token = _grid("class_token", np.ones((1, WIDTH)), "class token", "", "parameter")
    token = above(front, replace(token, side="top"), gap=0.5)
    places = _grid("places", np.ones((COUNT + 1, WIDTH)), "", "", "parameter")
    places = below(plus, replace(places, cell=(0.13, 0.06)), gap=0.35)
    places = replace(places, label="places", shape="$(17, d)$")
    tokens = _grid("tokens", np.ones((COUNT + 1, WIDTH)), "", "$(17, d)$", "state")
    tokens = right_of(plus, tokens, gap=0.3)
    encoder = Box("encoder", "encoder\nlayer × 2", role="weight", high=1.0)
    encoder = right_of(tokens, encoder, gap=0.2)
    out = replace(tokens, name="out")
    out = right_of(encoder, out, gap=0.2)
    head = Box("head", "LN\nLinear", role="parameter", high=0.62)
    head = right_of(out, head, gap=0.2, shift=0.75)
    logits = _grid("logits", np.ones((10, 1)), "logits", "$(10)$", "output")
    logits = right_of(head, logits, gap=0.2)
    arrows = [
        Arrow("image", "patches"),
        Arrow("patches", "embed"),
        Arrow("embed", "front"),
        Arrow("class_token", "front"),
        Arrow("front", "plus"),
        Arrow("places", "plus"),
        Arrow("plus", "tokens"),
        Arrow("tokens", "encoder"),
        Arrow("encoder", "out"),
        Arrow("out.right:0.97", "head.left", straight=False),
        Arrow("head", "logits"),
    ]
    nodes = (image, patches, embed, front, plus, token, places, tokens, encoder)
    return Diagram(
        "The Vision Transformer",
        (*nodes, out, head, logits, *arrows),
        steps=STEPS,
        describes=DESCRIPTION,
        beside=False,
    )


def _grid(name: str, values: np.ndarray, label: str, shape: str, role: str) -> Tensor:
    style = {"label": label, "shape": shape, "side": "bottom", "cell": CELL}
    return Tensor(name, values, role=role, numbers=False, limit=1.0, **style)
