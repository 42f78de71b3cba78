r"""One step of the delta rule with numbers: ask, compare, write. Lecture 17.

The memory has answered the key with something else before, so the sum would keep both.
"""

from dataclasses import replace

import numpy as np

from course_lib.show.diagram import Arrow, Diagram, Op, Step, Tensor

S = np.array([[1.0, -0.5], [0.5, 1.0], [0.0, 2.0]])  # (d_k, d_v), before the step
K = np.array([[0.6], [0.8], [0.0]])  # of length 1
V = np.array([[2.0, -1.0]])
BETA = 1.0


def numbers() -> dict[str, np.ndarray]:
    """What is said, what was wrong with it, what is written, and the new memory."""
    said = K.T @ S
    wrong = V - said
    written = BETA * K @ wrong
    return {"said": said, "wrong": wrong, "written": written, "S_new": S + written}


MADE = numbers()


def _row(values: np.ndarray) -> str:
    """The numbers of a row in brackets, with the sign of mathematics."""
    inside = ", ".join(f"{x:g}" for x in np.round(values.ravel(), 2))
    return f"({inside})".replace("-", "−")


SUM = K.T @ (S + K @ V)  # what the sum would answer afterwards
STEPS = (
    Step(
        "Ask first",
        "S > said, k > said",
        r"$S_{t-1}^\top k_t$",
        f"The memory is asked with the new key, as one would read it: {K[0, 0]:g} of "
        f"the first row and {K[1, 0]:g} of the second. It says {_row(MADE['said'])}.",
    ),
    Step(
        "What is wrong",
        "said > minus, v > minus > wrong",
        r"$v_t - S_{t-1}^\top k_t$",
        f"Right would be {_row(V)}. The difference is {_row(MADE['wrong'])}.",
    ),
    Step(
        "Write the difference",
        "wrong > written, again > written > plus, S > plus > S_new",
        r"$S_t = S_{t-1} + \beta_t\, k_t (v_t - S_{t-1}^\top k_t)^\top$",
        f"With β = 1 the new memory answers this key with {_row(K.T @ MADE['S_new'])}, "
        f"exactly. The sum, which writes v without asking, would answer {_row(SUM)}. "
        "The third row is not touched: the key has a 0 there.",
    ),
)
DESCRIPTION = (
    "The delta rule with numbers. A memory of three rows and two columns is asked with "
    "a key of three numbers and says two numbers. They are taken from the value that "
    "is right. The key times this difference, a grid of three by two, is added to the "
    "memory."
)


def delta_step() -> Diagram:
    """Asking goes down and along the bottom, writing up and back along the top."""
    low, mid, right = -1.45, 3.9, 5.9
    parts = (
        _grid("k", K, "$k_t$", "$(d_k)$", "input", (0.0, low), "bottom"),
        _grid("S", S, "$S_{t-1}$", "$(d_k, d_v)$", "state", (2.0, 0.0)),
        _grid("said", MADE["said"], "said", "$(d_v)$", "output", (2.0, low), "bottom"),
        Op("minus", "−", at=(mid, low)),
        _grid("v", V, "$v_t$", "$(d_v)$", "input", (mid, low - 0.75), "bottom"),
        _grid(
            "wrong",
            MADE["wrong"],
            "wrong",
            "$(d_v)$",
            "gradient",
            (right, low),
            "bottom",
        ),
        _grid(
            "written",
            MADE["written"],
            "written",
            "$(d_k, d_v)$",
            "gradient",
            (right, 0),
        ),
        _grid("again", K, "$k_t$", "$(d_k)$", "input", (8.0, 0.0)),
        Op("plus", "+", at=(mid, 0.0)),
        _grid("S_new", MADE["S_new"], "$S_t$", "$(d_k, d_v)$", "state", (mid, 1.2)),
    )
    arrows = (
        Arrow("k", "said", role="input"),
        Arrow("S", "said", role="state"),
        Arrow("said", "minus", role="output"),
        Arrow("v", "minus", role="input"),
        Arrow("minus", "wrong", role="gradient"),
        Arrow("wrong", "written", role="gradient"),
        Arrow("again", "written", role="input"),
        Arrow("written", "plus", role="gradient"),
        Arrow("S", "plus", role="state"),
        Arrow("plus", "S_new", role="state"),
    )
    return Diagram(
        "The delta rule",
        (*parts, *arrows),
        steps=STEPS,
        describes=DESCRIPTION,
        beside=False,
    )


def _grid(
    name: str,
    values: np.ndarray,
    label: str,
    shape: str,
    role: str,
    at: tuple[float, float],
    side: str = "top",
) -> Tensor:
    made = Tensor(name, values, label=label, shape=shape, side=side, limit=3.0)
    return replace(made, role=role, at=at, cell=(0.55, 0.3))
