r"""The LSTM cell in four steps, with the numbers of one small cell."""

import numpy as np

from course_lib.numpy_cells.lstm import LSTMWeights, lstm_forward
from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Op,
    Step,
    Tensor,
    below,
    brace,
    frame,
)

# d_x = 3, d_h = 2, two digits everywhere: small enough to check with a calculator
X = np.array([0.5, -1.0, 0.8])
H, C = np.array([0.6, -0.4]), np.array([0.9, -1.2])
W_X = {
    "c_tilde": [[1.0, 0.5, 1.0], [-0.5, -1.0, 0.5]],
    "f": [[-1.0, 1.0, 0.5], [1.0, -1.0, 0.5]],
    "i": [[1.0, -1.0, 0.5], [-0.5, 1.0, -1.0]],
    "o": [[0.5, -1.0, 0.5], [-1.0, 0.5, 0.5]],
}
W_H = {
    "c_tilde": [[0.5, -0.5], [0.5, -1.0]],
    "f": [[-1.0, 1.0], [0.5, -0.5]],
    "i": [[0.5, -0.5], [-0.5, 0.5]],
    "o": [[0.5, 0.5], [-0.5, 1.0]],
}


def numbers() -> dict[str, np.ndarray]:
    """One step of the cell: gates, candidate and both states, each (2,)."""
    names = LSTMWeights.names
    W_x = np.concatenate([np.array(W_X[name]) for name in names])
    W_h = np.concatenate([np.array(W_H[name]) for name in names])
    weights = LSTMWeights(W_x, W_h, np.zeros(len(W_x)))
    _, (h, c), cache = lstm_forward(weights, X[None, None], H[None], C[None])
    gates = dict(zip(names, np.split(cache.gates[0, 0], 4), strict=True))
    made = {"h": h[0], "c": c[0], "tanh_c": cache.tanh_c[0, 0]}
    return gates | made | {"kept": gates["f"] * C, "new": gates["i"] * gates["c_tilde"]}


GATES = {  # where it stands, what squashes it, its role
    "f": (1.42, r"$\sigma$", "weight"),
    "i": (2.16, r"$\sigma$", "weight"),
    "c_tilde": (3.44, "tanh", "memory"),
    "o": (4.3, r"$\sigma$", "weight"),
}
KEPT, NEW = r"$f_t \odot c_{t-1}$", r"$i_t \odot \tilde c_t$"


STEPS = (
    Step(
        "Forget",
        "h_prev, x, both > net_f > f > forget > kept, c_prev > forget",
        r"$f_t = \sigma(W_{xf}\,x_t + W_{hf}\,h_{t-1} + b_f)$",
        "A gate looks at the old hidden state and the new input. It multiplies "
        "each entry of the old cell state by a number between 0 and 1.",
    ),
    Step(
        "Store",
        "h_prev, x, both > net_i > i > store > new, "
        "both > net_c_tilde > c_tilde > store",
        r"$i_t = \sigma(W_{xi}\,x_t + W_{hi}\,h_{t-1} + b_i)$"
        "\n"
        r"$\tilde c_t = \tanh(W_{xc}\,x_t + W_{hc}\,h_{t-1} + b_c)$",
        "The candidate says what could be written. The input gate says how much of "
        "it is written.",
    ),
    Step(
        "Update",
        "c_prev > forget > kept > plus > c, f > forget, i > store > new > plus, "
        "c_tilde > store",
        r"$c_t = f_t \odot c_{t-1} + i_t \odot \tilde c_t$",
        "What was kept plus what is new. On its way the cell state meets one "
        "product and one sum, and no matrix.",
    ),
    Step(
        "Output",
        "h_prev, x, both > net_o > o > read > h, plus > c, plus > tanh > read",
        r"$o_t = \sigma(W_{xo}\,x_t + W_{ho}\,h_{t-1} + b_o)$"
        "\n"
        r"$h_t = o_t \odot \tanh(c_t)$",
        "The output gate decides what of the cell state is shown now. The rest "
        "stays in the cell for later.",
    ),
)
DESCRIPTION = (
    "The LSTM cell. The cell state runs along the top from left to right: it is "
    "multiplied by the forget gate, then the input gate times the candidate is added. "
    "The hidden state is the output gate times the tanh of the new cell state. All "
    "three gates and the candidate read the old hidden state and the input."
)


def lstm_cell() -> Diagram:
    """The cell state runs along the top; three gates act on it, one after the other."""
    n = numbers()
    nodes = _inputs() + [
        Op("forget", "×", at=(1.42, 2.85)),
        Tensor("kept", n["kept"], label=KEPT, at=(2.1, 2.85), role="memory"),
        Op("plus", "+", at=(2.8, 2.85)),
        Tensor("new", n["new"], label=NEW, side="right", at=(2.8, 2.15), role="memory"),
        Op("store", "×", at=(2.8, 1.4)),
        Tensor("c", n["c"], label="$c_t$", at=(5.7, 2.85), role="memory"),
        Box("tanh", "tanh", at=(4.95, 2.15), role="memory"),
        Op("read", "×", at=(4.95, 1.4)),
        Tensor("h", n["h"], label="$h_t$", at=(5.7, 1.4), role="state"),
    ]
    for name, (x, squash, role) in GATES.items():
        side = "left" if name == "f" else "top"
        label = r"$\tilde c_t$" if name == "c_tilde" else f"${name}_t$"
        gate = Tensor(name, n[name], label=label, side=side, at=(x, 1.4), role=role)
        net = Box(f"net_{name}", squash, role=role, wide=0.6, high=0.34)
        nodes += [gate, below(gate, net, gap=0.27)]
    inside = [node for node in nodes if 1 < node.at[0] < 5.5]
    nodes += [frame("cell", inside, pad=(0.06, 0.5, 0.06, 0.12))]
    return Diagram(
        "LSTM cell", (*nodes, *_arrows()), steps=STEPS, describes=DESCRIPTION
    )


def _inputs() -> list:
    """The two states of the step before, and the input under the old hidden state."""
    c = Tensor(
        "c_prev", C, label="$c_{t-1}$", shape="$(d_h)$", at=(0.28, 2.85), role="memory"
    )
    h = Tensor(
        "h_prev", H, label="$h_{t-1}$", shape="$(d_h)$", at=(0.28, 0.57), role="state"
    )
    x = Tensor("x", X, label="$x_t$", shape="$(d_x)$", side="bottom", role="input")
    x = below(h, x, gap=0)
    return [c, h, x, brace("both", [h, x], "right")]


def _arrows() -> list[Arrow]:
    gates = ("f", "i", "c_tilde", "o")
    return [
        *(Arrow("both.right", f"net_{gate}.bottom") for gate in gates),
        *(Arrow(f"net_{gate}", gate, role="weight") for gate in ("f", "i", "o")),
        Arrow("net_c_tilde", "c_tilde", role="memory"),
        Arrow("c_prev", "forget", role="memory"),
        Arrow("forget", "kept", role="memory"),
        Arrow("kept", "plus", role="memory"),
        Arrow("plus", "c", role="memory"),
        Arrow("f", "forget", role="weight"),
        Arrow("i", "store", role="weight"),
        Arrow("c_tilde", "store", role="memory"),
        Arrow("store", "new", role="memory"),
        Arrow("new", "plus", role="memory"),
        Arrow("plus.right", "tanh.top", role="memory"),
        Arrow("tanh", "read", role="memory"),
        Arrow("o", "read", role="weight"),
        Arrow("read", "h", role="state"),
    ]
