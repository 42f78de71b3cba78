r"""The GRU cell in four steps, with the numbers of one small cell.

The state goes along the top, as the LSTM's cell state does; what differs from the LSTM
is said in each step.
"""

from dataclasses import replace

import numpy as np

from course_lib.numpy_cells.gru import GRUWeights, gru_forward
from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Op,
    Step,
    Tensor,
    above,
    below,
    brace,
    frame,
    right_of,
)
from course_lib.show.mechanisms.lstm import H, X  # the same input and state

W_X = {
    "h_tilde": [[1.0, 0.5, 1.0], [-0.5, -1.0, 0.5]],
    "z": [[1.0, -1.0, 0.5], [-0.5, 1.0, -1.0]],
    "r": [[-0.5, 1.0, 0.5], [1.0, -1.0, 0.5]],
}
W_H = {
    "h_tilde": [[0.5, -0.5], [0.5, -1.0]],
    "z": [[0.5, -0.5], [-0.5, 0.5]],
    "r": [[-1.0, 0.5], [0.5, -0.5]],
}


def numbers() -> dict[str, np.ndarray]:
    """One step of the cell: gates, candidate and states, each (2,)."""
    names = GRUWeights.names
    W_x = np.concatenate([np.array(W_X[name]) for name in names])
    W_h = np.concatenate([np.array(W_H[name]) for name in names])
    weights = GRUWeights(W_x, W_h, np.zeros(len(W_x)))
    h, cache = gru_forward(weights, X[None, None], H[None])
    gates = dict(zip(names, np.split(cache.gates[0, 0], 3), strict=True))
    return gates | {
        "dimmed": gates["r"] * H,
        "kept": (1 - gates["z"]) * H,
        "h": h[0, 0],
    }


CANDIDATE = 4.8  # the column of the candidate, inches from the left
KEPT, DIMMED = r"$(1 - z_t) \odot h_{t-1}$", r"$r_t \odot h_{t-1}$"


STEPS = (
    Step(
        "Reset",
        "x, h_prev > reset, both > net_r > r > reset > dimmed",
        r"$r_t = \sigma(W_{xr}\,x_t + W_{hr}\,h_{t-1} + b_r)$",
        "A gate reads the input and the old state, as in the LSTM. What is new: "
        "it dims the old state before the candidate reads it.",
    ),
    Step(
        "Candidate",
        "dimmed, x_again, two > net_h > h_tilde",
        r"$\tilde h_t = \tanh(W_{xh}\,x_t$"
        "\n"
        r"$\qquad\quad + W_{hh} (r_t \odot h_{t-1}) + b_h)$",
        "What could be written. Where the reset gate is shut, the candidate starts "
        "afresh from the input alone.",
    ),
    Step(
        "Update gate",
        "x, h_prev, both > net_z > z > one_minus, z > store",
        r"$z_t = \sigma(W_{xz}\,x_t + W_{hz}\,h_{t-1} + b_z)$",
        "One gate does the work of two. It writes with $z_t$ and keeps with "
        "$1 - z_t$. In the LSTM forget gate and input gate are free of each other.",
    ),
    Step(
        "New state",
        "h_prev > keep > kept > plus > h, z > one_minus > keep, z > store, "
        "h_tilde > store > plus",
        r"$h_t = (1 - z_t) \odot h_{t-1} + z_t \odot \tilde h_t$",
        "A weighted mean of old and new, entry by entry. This state is also the "
        "output: there is no cell state beside it and no output gate.",
    ),
)
DESCRIPTION = (
    "The GRU cell. The reset gate multiplies the old state; the candidate is made from "
    "the product and the input. The update gate z mixes: the old state times one "
    "minus z, which runs along the top, plus the candidate times z is the new state. "
    "Against the LSTM one gate and the cell state are gone."
)


def gru_cell() -> Diagram:
    """Two gates instead of three, one state instead of two."""
    n = numbers()
    inside = [*_gates(n), *_candidate(n), *_highway(n)]
    cell = frame("cell", inside, pad=(0.1, 0.1, 0.12, 0.12))
    h = Tensor("h", n["h"], label="$h_t$", at=(5.85, 3.05), role="state")
    return Diagram(
        "GRU cell",
        (cell, *_inputs(), *inside, h, *_arrows()),
        steps=STEPS,
        describes=DESCRIPTION,
    )


def _inputs() -> list:
    """The input on top of the old state: that is what both gates read."""
    x = Tensor("x", X, label="$x_t$", shape="$(d_x)$", at=(0.6, 0.4), role="input")
    h = Tensor("h_prev", H, label="$h_{t-1}$", shape="$(d_h)$", side="bottom")
    h = below(x, replace(h, role="state"), gap=0)
    return [x, h, brace("both", [x, h], "right")]


def _gates(n: dict[str, np.ndarray]) -> list:
    """Update gate and reset gate, each above its network."""
    parts = []
    for name, x in (("z", 1.75), ("r", 2.62)):
        gate = Tensor(name, n[name], label=f"${name}_t$", side="left", role="weight")
        gate = replace(gate, at=(x, 1.3))
        net = Box(f"net_{name}", r"$\sigma$", role="weight", wide=0.6, high=0.34)
        parts += [gate, below(gate, net, gap=0.27)]
    return parts


def _candidate(n: dict[str, np.ndarray]) -> list:
    """It reads the dimmed state and, drawn a second time, the input."""
    reset = Op("reset", "×", at=(3.22, 1.3))
    dimmed = Tensor("dimmed", n["dimmed"], label=DIMMED, role="state")
    dimmed = right_of(reset, dimmed, gap=0.2)
    copy = Tensor("x_again", X, label="$x_t$", side="bottom", role="input")
    copy = below(dimmed, copy, gap=0)
    two = brace("two", [dimmed, copy], "right")
    net = Box("net_h", "tanh", role="state", at=(CANDIDATE, two.at[1]), high=0.34)
    h_tilde = Tensor("h_tilde", n["h_tilde"], label=r"$\tilde h_t$", side="right")
    h_tilde = above(net, replace(h_tilde, role="state"), gap=0.22)
    return [reset, dimmed, copy, two, net, h_tilde]


def _highway(n: dict[str, np.ndarray]) -> list:
    """Along the top: keep a share of the old state, add a share of the candidate."""
    return [
        Op("one_minus", "1−", at=(1.75, 2.55)),
        Op("keep", "×", at=(1.75, 3.05)),
        Tensor("kept", n["kept"], label=KEPT, at=(2.7, 3.05), role="state"),
        Op("store", "×", at=(CANDIDATE, 2.2)),
        Op("plus", "+", at=(CANDIDATE, 3.05)),
    ]


def _arrows() -> list[Arrow]:
    under = ((0.1, -0.3), (0.1, -1.02), (3.22, -1.02))  # the gates and their input
    return [
        Arrow("both.right", "net_z.bottom"),
        Arrow("both.right", "net_r.bottom"),
        Arrow("net_z", "z", role="weight"),
        Arrow("net_r", "r", role="weight"),
        Arrow("r", "reset", role="weight"),
        Arrow("h_prev.left", "keep.left", bend=0.1, role="state"),
        Arrow("h_prev.left", "reset.bottom", via=under, role="state"),
        Arrow("reset", "dimmed", role="state"),
        Arrow("two", "net_h"),
        Arrow("net_h", "h_tilde", role="state"),
        Arrow("h_tilde", "store", role="state"),
        Arrow("z.top", "store.left", role="weight"),
        Arrow("z", "one_minus", role="weight"),
        Arrow("one_minus", "keep", role="weight"),
        Arrow("keep", "kept", role="state"),
        Arrow("kept", "plus", role="state"),
        Arrow("store", "plus", role="state"),
        Arrow("plus", "h", role="state"),
    ]
