r"""LoRA with numbers: two thin matrices make a change of rank one, which is added.

As in `dot_product.py` a product stands right of its left factor and below its right
factor. Lecture 12b.
"""

from dataclasses import replace

import numpy as np

from course_lib.show.diagram import (
    Arrow,
    Diagram,
    Op,
    Step,
    Tensor,
    above,
    below,
    left_of,
    right_of,
)

B = np.array([[0.5], [-1.0], [0.0], [2.0]])  # (d_out, r) with r = 1
A = np.array([[1.0, 0.0, -0.5, 0.2, 0.6]])  # (r, d_in)
W = np.array(
    [
        [0.3, -0.8, 0.1, 0.5, -0.2],
        [0.9, 0.4, -0.6, 0.0, 0.7],
        [-0.1, 0.2, 0.8, -0.3, 0.4],
        [0.6, -0.5, 0.0, 0.3, -0.9],
    ]
)
ROW, COLUMN = 0, 2  # the entry that is followed


def numbers() -> dict[str, np.ndarray]:
    """The change of the matrix, and the matrix that has learned it."""
    change = B @ A
    return {"BA": change, "W_new": W + change}


MADE = numbers()
d_out, d_in = W.shape
PRODUCT = f"{B[ROW, 0]:g} · ({A[0, COLUMN]:g}) = {MADE['BA'][ROW, COLUMN]:.2f}"
TOTAL = (
    f"{W[ROW, COLUMN]:g} + ({MADE['BA'][ROW, COLUMN]:.2f}) = "
    f"{MADE['W_new'][ROW, COLUMN]:.2f}"
)
STEPS = (
    Step(
        "Frozen",
        "W",
        r"$W$ is not trained",
        f"The matrix of the base model has {d_out} rows and {d_in} columns, "
        f"{W.size} numbers. None of them will change.",
    ),
    Step(
        "Two thin matrices",
        "B > BA, A > BA",
        r"$\Delta W = B\,A$",
        f"Only B and A are trained: r ({d_out} + {d_in}) = {B.size + A.size} numbers "
        f"with r = 1. The marked entry: {PRODUCT}. Each row of the product is a "
        "multiple of the row A. Training starts with B = 0, so with no change at all.",
        mark={"B": (ROW, None), "A": (None, COLUMN), "BA": (ROW, COLUMN)},
    ),
    Step(
        "Merge",
        "W > plus, BA > plus > W_new",
        r"$W' = W + B\,A$",
        f"When training is done, the product is added once: {TOTAL}. The merged "
        "matrix has the old size, and costs nothing extra when the model writes.",
        mark={"W": (ROW, COLUMN), "BA": (ROW, COLUMN), "W_new": (ROW, COLUMN)},
    ),
)
STEPS = tuple(replace(step, says=step.says.replace("-", "−")) for step in STEPS)
DESCRIPTION = (
    "LoRA with numbers. A column B of four entries times a row A of five entries gives "
    "a grid of four by five, the change. It is added to the frozen matrix W of the "
    "same size; the sum is the merged matrix."
)


def low_rank_update() -> Diagram:
    """B and A meet in BA; W comes from above, and the sum stands below."""
    change = _matrix("BA", MADE["BA"], r"$BA$", "$(d_{out}, d_{in})$", "gradient")
    b = left_of(change, _matrix("B", B, "$B$", "$(d_{out}, r)$", "state"), gap=0.5)
    a = _matrix("A", A, "$A$", "$(r, d_{in})$", "state", side="top")
    a = above(change, a, gap=0.35)
    plus = right_of(change, Op("plus", "+"), gap=1.4)
    w = above(
        plus, _matrix("W", W, "$W$", "$(d_{out}, d_{in})$", "parameter", "top"), 0.3
    )
    new = _matrix("W_new", MADE["W_new"], "$W'$", "$(d_{out}, d_{in})$", "output")
    new = below(plus, new, gap=0.3)
    arrows = [
        Arrow("B", "BA", role="state"),
        Arrow("A", "BA", role="state"),
        Arrow("BA", "plus", role="gradient"),
        Arrow("W", "plus", role="parameter"),
        Arrow("plus", "W_new", role="output"),
    ]
    return Diagram(
        "LoRA",
        (change, b, a, plus, w, new, *arrows),
        steps=STEPS,
        describes=DESCRIPTION,
        beside=False,
    )


def _matrix(
    name: str,
    values: np.ndarray,
    label: str,
    shape: str,
    role: str,
    side: str = "bottom",
) -> Tensor:
    made = Tensor(name, values, label=label, shape=shape, side=side, limit=2.0)
    return replace(made, role=role, cell=(0.53, 0.3))
