"""The set blocks and the Vision Transformer as drawn: numbers of torch, and shapes."""

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.patches import Rectangle
from torch.nn import functional as F

from course_lib.show.diagram import draw
from course_lib.show.diagram.model import Tensor
from course_lib.show.diagram.steps import Diagram
from course_lib.show.mechanisms import set_blocks
from course_lib.show.mechanisms.vision_transformer import vision_transformer

DOUBLE = torch.float64


def grids(diagram: Diagram) -> dict[str, np.ndarray]:
    """The numbers that stand in the tensors of a diagram."""
    nodes = diagram.nodes.values()
    return {n.name: np.asarray(n.values) for n in nodes if isinstance(n, Tensor)}


def test_the_set_blocks_show_the_numbers_of_torch():
    """MAB by torch's own layers; ISAB, SAB and PMA from it."""
    made, mab = set_blocks, set_blocks.block()
    attend = torch.nn.MultiheadAttention(3, 1, batch_first=True, dtype=DOUBLE)
    with torch.no_grad():
        eye = torch.eye(3, dtype=DOUBLE)
        attend.in_proj_weight.copy_(torch.cat([2 * eye, eye, eye]))
        attend.in_proj_bias.zero_()
        attend.out_proj.weight.copy_(eye)
        attend.out_proj.bias.zero_()

        def block(x, y):
            read, weights = attend(x, y, y)
            h = F.layer_norm(x + read, (3,))
            return F.layer_norm(h + mab.feed(h), (3,)), weights[0].numpy()

        x, asked = made.rows(made.X), made.rows(made.ASKED)
        summary, gathered = block(asked, x)
        output, returned = block(x, summary)
        itself, among = block(x, x)
        pooled, seeded = block(made.rows(made.SEED), x)
    shown = grids(made.induced_attention())
    for name, value in (("gathered", gathered), ("returned", returned)):
        np.testing.assert_allclose(shown[name], value, atol=1e-9)
    np.testing.assert_allclose(shown["Z"], summary[0], atol=1e-9)
    np.testing.assert_allclose(shown["Y"], output[0], atol=1e-9)
    np.testing.assert_allclose(
        grids(made.attention_block())["out"], summary[0], atol=1e-9
    )
    uses = grids(made.set_attention_and_pooling())
    np.testing.assert_allclose(uses["SAB"], itself[0], atol=1e-9)
    np.testing.assert_allclose(uses["SAB_weights"], among, atol=1e-9)
    np.testing.assert_allclose(uses["PMA"], pooled[0], atol=1e-9)
    np.testing.assert_allclose(uses["PMA_weights"], seeded, atol=1e-9)


def test_the_vision_transformer_cuts_as_unfold_does():
    shown = grids(vision_transformer())
    image = torch.tensor(shown["image"])[None, None]
    np.testing.assert_array_equal(shown["patches"], F.unfold(image, 2, stride=2)[0].T)
    assert shown["tokens"].shape == shown["out"].shape == (17, 5)
    assert len(shown["logits"]) == 10


def test_the_pixels_of_the_digit_are_the_shades_of_its_cells():
    diagram = vision_transformer()
    fig, _ = draw(diagram)
    image = diagram.nodes["image"]
    left, bottom, right, top = image.box
    within = [
        patch.get_facecolor()[0]
        for patch in fig.axes[0].patches
        if isinstance(patch, Rectangle)
        and patch.get_width() < (right - left) / 2
        and left - 0.01 < patch.get_x() < right
        and bottom - 0.01 < patch.get_y() < top
    ]
    assert len(within) == 64
    darker = np.argsort(image.values.ravel(), kind="stable")
    assert (np.diff(np.array(within)[darker]) <= 1e-9).all()
    assert within[darker[-1]] < within[darker[0]] - 0.3
    plt.close(fig)


def test_the_class_token_is_put_in_front_and_not_added():
    ends = {(arrow.start, arrow.end) for arrow in vision_transformer().arrows}
    assert ("class_token", "front") in ends
    assert ("class_token", "plus") not in ends
    assert ("places", "plus") in ends
