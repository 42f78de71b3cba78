r"""One step of Mamba's mixer with numbers: what the input decides, and what it does.

Three channels (E) with two numbers of state each (N). The first two have large steps of
time and forget fast; in the third the clock all but stands still at this input.
"""

from dataclasses import replace

import numpy as np

from course_lib.show.diagram import Arrow, Box, Diagram, Op, Step, Tensor

# the last four inputs (T, d), and the weights with the names of course_lib.models.mamba
U = np.array([[0.0, 0.0], [0.0, 0.0], [-1.0, 2.0], [2.0, 0.5]])
WEIGHTS = {
    "in_proj.weight": [[1, 0], [0.5, 0.5], [0, 1], [0.5, 1], [1, 0], [-1, 0.5]],
    "conv1d.weight": [[[0, 0, 0.5, 1]], [[0, 0, 0, 1]], [[0, 0, 0.5, 0.5]]],
    "conv1d.bias": [0, 0, 0],
    "x_proj.weight": [[1, 0, 0], [0.5, 0, 0], [0, 0, 1], [0, 1, 0], [0.5, 0, 0]],
    "dt_proj.weight": [[0.5], [0], [-4]],
    "dt_proj.bias": [0, 0, 2],
    "A_log": np.log([[1, 2]] * 3),  # A is -1 and -2, as at Mamba's start
    "D": [1, 1, 1],
    "out_proj.weight": [[1, 0, 0.5], [0, 1, -0.5]],
}
W = {name: np.array(value, dtype=float) for name, value in WEIGHTS.items()}
N = 2


def silu(x: np.ndarray) -> np.ndarray:
    """x times its sigmoid."""
    return x / (1 + np.exp(-x))


def numbers() -> dict[str, np.ndarray]:
    """What is drawn; the state before comes from the same weights."""
    entered = U @ W["in_proj.weight"].T
    window, gate = entered[:, :3], entered[-1, 3:]
    kernel, h, made = W["conv1d.weight"][:, 0].T, np.zeros((3, N)), {}
    for t in range(len(U)):
        padded = np.concatenate([np.zeros((3, 3)), window])[t : t + 4]
        x = silu((kernel * padded).sum(0) + W["conv1d.bias"])
        raw, B, C = np.split(W["x_proj.weight"] @ x, [1, 1 + N])
        delta = np.log1p(np.exp(W["dt_proj.weight"] @ raw + W["dt_proj.bias"]))
        a = np.exp(-delta[:, None] * np.exp(W["A_log"]))
        b = (delta * x)[:, None] * B
        made = {"x": x, "delta": delta, "B": B, "C": C, "a": a, "b": b, "h_prev": h}
        h = a * h + b
    y = h @ made["C"] + W["D"] * made["x"]
    out = W["out_proj.weight"] @ (y * silu(gate))
    u = {"u": U[-1], "window": window, "gate": silu(gate)}
    return made | u | {"h": h, "y": y, "out": out}


MADE = numbers()
LOW, MIDDLE, TOP, ABOVE = 0.0, 1.35, 2.65, 3.9


def _say(values: np.ndarray) -> str:
    """The numbers of a vector, with the sign of mathematics."""
    return ", ".join(f"{x:.2f}" for x in values).replace("-", "−")


STEPS = (
    Step(
        "Enter",
        "u > in > window > conv > x, in > gate",
        r"$x_t = \mathrm{SiLU}(\mathrm{conv}(W_{in} u)), \qquad"
        r" E = 2d \ \mathrm{in\ Mamba,\ 3\ here}$",
        "One matrix makes two rows of E numbers for every step: one goes into the "
        "recurrence, the other becomes the gate. Each channel then mixes its own last "
        "four steps.",
    ),
    Step(
        "Choose",
        "x > select > delta > a, select > B, select > C",
        r"$\Delta_t = \mathrm{softplus}(W_\Delta x_t + b_\Delta), \qquad"
        r" a_t = e^{\Delta_t A}, \qquad B_t, C_t = W_B x_t, W_C x_t$",
        f"The input decides. The steps of time are {_say(MADE['delta'])}: the first "
        "two channels will keep little. In the third the clock all but stands still.",
    ),
    Step(
        "Keep and write",
        "h_prev > keep > plus > h, a > keep, delta > b, B > b, x_again > b > plus",
        r"$h_t = a_t \odot h_{t-1} + (\Delta_t \odot x_t)\, B_t^\top$",
        f"Third channel: {_say(MADE['h_prev'][2])} becomes {_say(MADE['h'][2])}, for "
        "a small step keeps and writes next to nothing. Every number is a recurrence "
        "(1) of its own: the scan takes all of them at once.",
    ),
    Step(
        "Read and leave",
        "h > read > times > leave > out, C > read, x_again > read, gate > times",
        r"$y_t = h_t C_t + D \odot x_t, \qquad"
        r" \mathrm{out} = W_{out}\,(y_t \odot \mathrm{SiLU}(\mathrm{gate}))$",
        f"C asks each channel's state for one number: y is {_say(MADE['y'])}. The gate "
        "weights the channels, and one matrix brings E numbers back to d.",
    ),
)
DESCRIPTION = (
    "One step of Mamba's mixer with numbers. The input enters through a matrix and a "
    "convolution over four steps. From the result a matrix computes the step of time "
    "of each channel, a vector B to write with and a vector C to read with. The old "
    "state, three channels by two numbers, is multiplied by gates and what is written "
    "is added. C reads the new state, a second half of the input gates the result, "
    "and a matrix leads out."
)


def mamba_step() -> Diagram:
    """Gates and exits along the top, the state below them, the choice at the foot."""
    return Diagram(
        "A step of Mamba's mixer",
        (*_tensors(), *_rules(), *_arrows()),
        steps=STEPS,
        describes=DESCRIPTION,
        beside=False,
    )


def _tensors() -> list[Tensor]:
    return [
        _grid("u", "$u_t$", "$(d)$", "input", (0.35, ABOVE), "bottom"),
        _grid("window", "last 4", "$(4, E)$", "input", (1.7, TOP - 0.1), "left"),
        _grid("x", "$x_t$", "$(E)$", "input", (1.7, LOW), "left"),
        _grid("delta", r"$\Delta_t$", "$(E)$", "weight", (4.2, LOW), "bottom"),
        _grid("a", "$a_t$", "$(E, N)$", "weight", (4.2, MIDDLE), "left"),
        _grid("h_prev", "$h_{t-1}$", "$(E, N)$", "state", (3.15, TOP)),
        _grid("B", "$B_t$", "$(N)$", "key", (6.05, LOW), "right"),
        _grid("b", "$b_t$", "", "output", (5.7, MIDDLE), "left"),
        _grid("h", "$h_t$", "$(E, N)$", "state", (6.75, TOP)),
        _grid("x_again", "$x_t$", "$(E)$", "input", (7.0, MIDDLE), "bottom"),
        _grid("C", "$C_t$", "$(N)$", "query", (8.35, LOW), "right"),
        _grid("gate", "SiLU(gate)", "$(E)$", "memory", (4.2, ABOVE), "top"),
        _grid("out", "out", "$(d)$", "output", (9.02, ABOVE), "bottom"),
    ]


def _rules() -> list[Box | Op]:
    return [
        Box("in", "$W_{in}$", role="parameter", at=(1.7, ABOVE)),
        Box("conv", "conv, SiLU", role="parameter", at=(1.7, MIDDLE - 0.15)),
        Box("select", r"$W_\Delta, W_B, W_C$", role="parameter", at=(2.95, LOW)),
        Op("keep", "×", at=(4.2, TOP)),
        Op("plus", "+", at=(5.7, TOP)),
        Box("read", "$h_t C_t + D x_t$", role="parameter", at=(8.35, TOP)),
        Op("times", "×", at=(7.62, ABOVE)),
        Box("leave", "$W_{out}$", role="parameter", at=(8.2, ABOVE)),
    ]


def _arrows() -> list[Arrow]:
    return [
        Arrow("u", "in", role="input"),
        Arrow("in", "window", role="input"),
        Arrow("in", "gate", role="memory"),
        Arrow("window", "conv", role="input"),
        Arrow("conv", "x", role="input"),
        Arrow("x", "select", role="input"),
        Arrow("select", "delta", role="weight"),
        Arrow("select.bottom", "B.bottom", role="key", bend=-0.95),
        Arrow("select.bottom", "C.bottom", role="query", bend=-0.95),
        Arrow("delta", "a", role="weight"),
        Arrow("delta.right", "b.bottom:0.15", role="weight"),
        Arrow("a", "keep", role="weight"),
        Arrow("h_prev", "keep", role="state"),
        Arrow("keep", "plus", role="state"),
        Arrow("B.top:0.45", "b.bottom:0.8", role="key"),
        Arrow("x_again", "b", role="input"),
        Arrow("b", "plus", role="output"),
        Arrow("plus", "h", role="state"),
        Arrow("h", "read", role="state"),
        Arrow("x_again.right", "read.bottom:0.15", role="input"),
        Arrow("C", "read", role="query"),
        Arrow("read.top", "times.bottom", role="output"),
        Arrow("gate", "times", role="memory"),
        Arrow("times", "leave", role="output"),
        Arrow("leave", "out", role="output"),
    ]


def _grid(
    name: str,
    label: str,
    shape: str,
    role: str,
    at: tuple[float, float],
    side: str = "top",
) -> Tensor:
    values = MADE[name.removesuffix("_again")]
    values = values[None] if name in ("B", "C") else values
    made = Tensor(name, values, label=label, shape=shape, side=side, limit=2.5)
    return replace(made, role=role, at=at, cell=(0.5, 0.28))
