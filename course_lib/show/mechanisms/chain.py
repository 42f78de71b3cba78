r"""A gradient on its way back through three steps: a row, multiplied at each of them.

The network is the one of `rnn.py`, which lecture 02 draws; lecture 03 asks what is left
of a gradient of length 1 when it arrives at the first state.
"""

import numpy as np

from course_lib.show.diagram import Arrow, Diagram, Step, Tensor
from course_lib.show.mechanisms.rnn import STEPS, W_H
from course_lib.show.mechanisms.rnn import numbers as states

PITCH = 2.55  # inches from one time step to the next
G_LAST = np.array([[0.8, 0.6]])  # length 1


def numbers() -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Gradients g_0 ... g_3, rows (1, 2), and Jacobians J_1 ... J_3, (2, 2)."""
    h, _ = states()
    jacobians = [(1 - h_t**2)[:, None] * W_H for h_t in h]
    gradients = [G_LAST]
    for J_t in reversed(jacobians):
        gradients.insert(0, gradients[0] @ J_t)
    return gradients, jacobians


def gradient_chain() -> Diagram:
    """From right to left, as the gradient goes."""
    gradients, jacobians = numbers()
    nodes = [_gradient(t, g) for t, g in enumerate(gradients)]
    nodes += [_jacobian(t, J) for t, J in enumerate(jacobians, start=1)]
    arrows = []
    for t in range(1, STEPS + 1):
        arrows += [
            Arrow(f"g_{t}", f"J_{t}", role="gradient"),
            Arrow(f"J_{t}", f"g_{t - 1}", role="gradient"),
        ]
    return Diagram(
        "A gradient going back",
        (*nodes, *arrows),
        steps=tuple(_step(t, gradients) for t in range(STEPS, 0, -1)),
        describes=DESCRIPTION,
        beside=False,
    )


def _gradient(t: int, g: np.ndarray) -> Tensor:
    length = f"length {np.linalg.norm(g):.2f}"
    label = rf"$g_{t}$"
    place = (PITCH * t, 0.0)
    return Tensor(
        f"g_{t}", g, label=label, shape=length, at=place, role="gradient", limit=1.0
    )


def _jacobian(t: int, J: np.ndarray) -> Tensor:
    place = (PITCH * (t - 0.5), 0.0)
    return Tensor(
        f"J_{t}",
        J,
        label=rf"$J_{t}$",
        shape="$(d_h, d_h)$",
        at=place,
        role="parameter",
        side="bottom",
        limit=1.0,
    )


def _step(t: int, gradients: list[np.ndarray]) -> Step:
    kept = np.linalg.norm(gradients[t - 1]) / np.linalg.norm(gradients[t])
    return Step(
        f"Through step {t}",
        f"g_{t} > J_{t} > g_{t - 1}",
        rf"$g_{t - 1} = g_{t}\,J_{t}$",
        f"A row times a matrix is a row. Of its length {100 * kept:.0f} % are left.",
    )


DESCRIPTION = (
    "A gradient row of length 1 stands at the right, at the third state. It is "
    "multiplied by the Jacobians of steps 3, 2 and 1, each two by two, and gets "
    "shorter every time until it arrives at the initial state."
)
