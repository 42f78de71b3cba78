r"""The simple RNN unrolled over three steps: the same weights at each of them."""

from dataclasses import replace
from functools import partial

import numpy as np

from course_lib.numpy_cells.rnn import RNNWeights, rnn_forward
from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Step,
    Tensor,
    above,
    below,
    frame,
    right_of,
)

# d_x = 3, d_h = 2, d_y = 1
X = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, -0.5], [-1.0, 0.5, 0.0]])
H_0 = np.zeros(2)
W_X = np.array([[0.8, -0.5, 0.2], [-0.4, 0.9, 0.6]])
W_H = np.array([[0.5, -0.7], [0.6, 0.4]])
B_H = np.array([0.1, -0.1])
W_Y, B_Y = np.array([[1.2, -0.8]]), np.array([0.3])
STEPS = len(X)
PITCH = 2.0  # inches from one time step to the next


def numbers() -> tuple[np.ndarray, np.ndarray]:
    """States (T, 2) and outputs (T, 1)."""
    h, _ = rnn_forward(RNNWeights(W_X, W_H, B_H), X[None], H_0[None])
    return h[0], h[0] @ W_Y.T + B_Y


SAYS = {
    "First step": "The network starts from a state of zeros. It reads the first input "
    "and the state before it, and makes the first state.",
    "Second step": "The same three arrays again, with the second input and the state "
    "that was just made. Nothing else remembers the first input.",
    "Third step": "And again. Three inputs have been read, and the number of weights "
    "is still the same.",
}


def rnn_unrolled() -> Diagram:
    """Weights once, on the left; the network as often as there are time steps."""
    h, y = numbers()
    first = replace(_vector("h", 0, H_0, "state"), at=(2.75, 1.75))
    nodes = [*_weights(), first]
    for t in range(1, STEPS + 1):
        nodes += _time_step(t, h[t - 1], y[t - 1])
    arrows = [arrow for t in range(1, STEPS + 1) for arrow in _arrows(t)]
    return Diagram(
        "RNN, unrolled",
        (*nodes, *arrows),
        steps=_steps(),
        describes=DESCRIPTION,
        beside=False,
    )


def _vector(letter: str, t: int, values: np.ndarray, role: str) -> Tensor:
    """A vector of one time step with its name, its shape and its numbers."""
    name, shape = f"{letter}_{t}", f"$(d_{letter})$"
    side = "top" if letter == "y" else "bottom"
    return Tensor(name, values, label=f"${name}$", shape=shape, side=side, role=role)


def _weights() -> list:
    """Five arrays that every step uses, in a frame of their own."""
    weight = partial(Tensor, role="parameter")
    W_x = weight("W_x", W_X, label="$W_x$", shape="$(d_h, d_x)$", at=(0.9, 2.45))
    W_h = weight("W_h", W_H, label="$W_h$", shape="$(d_h, d_h)$")
    W_h = below(W_x, W_h, gap=0.5, shift=-0.28)
    b_h = right_of(W_h, weight("b_h", B_H, label="$b_h$"), gap=0.12)
    W_y = weight("W_y", W_Y, label="$W_y$", shape="$(d_y, d_h)$")
    W_y = below(W_h, W_y, gap=0.5)
    b_y = right_of(W_y, weight("b_y", B_Y, label="$b_y$"), gap=0.12)
    all_five = [W_x, W_h, b_h, W_y, b_y]
    pad = (0.15, 0.15, 0.15, 0.45)
    around = frame("shared", all_five, "shared by all steps", pad, role="parameter")
    return [around, *all_five]


def _time_step(t: int, h: np.ndarray, y: np.ndarray) -> list:
    """The network at time t: input below, output above the new state."""
    net = Box(
        f"net_{t}", "tanh", at=(1.85 + PITCH * t, 1.75), role="parameter", high=0.4
    )
    x = below(net, _vector("x", t, X[t - 1], "input"), gap=0.55)
    state = right_of(net, _vector("h", t, h, "state"), gap=0.32)
    out = above(state, _vector("y", t, y, "output"), gap=0.55)
    return [net, x, state, out]


def _arrows(t: int) -> list[Arrow]:
    return [
        Arrow(f"x_{t}", f"net_{t}", "$W_x$", role="input"),
        Arrow(f"h_{t - 1}", f"net_{t}", "$W_h$", role="state"),
        Arrow(f"net_{t}", f"h_{t}", role="state"),
        Arrow(f"h_{t}", f"y_{t}", "$W_y$", role="output"),
    ]


def _steps() -> tuple[Step, ...]:
    steps = [
        Step(
            title,
            f"shared, W_x, W_h, b_h, x_{t} > net_{t} > h_{t}, h_{t - 1} > net_{t}",
            rf"$h_{t} = \tanh(W_x\,x_{t} + W_h\,h_{t - 1} + b_h)$",
            text,
        )
        for t, (title, text) in enumerate(SAYS.items(), start=1)
    ]
    read_out = Step(
        "Outputs",
        "shared, W_y, b_y, h_1 > y_1, h_2 > y_2, h_3 > y_3",
        r"$y_t = W_y\,h_t + b_y$",
        "Each state can be read, again with the same weights at all steps. Which "
        "outputs are used depends on the task.",
    )
    return (*steps, read_out)


DESCRIPTION = (
    "A simple recurrent network unrolled over three steps. At each step it takes the "
    "input from below through W_x and the state from the left through W_h, and makes "
    "the next state by tanh; an output is read off through W_y. The weights stand "
    "once, on the left: every step uses the same."
)
