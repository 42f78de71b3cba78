r"""A language model reads three letters and guesses the next one after each of them."""

import numpy as np

from course_lib.numpy_cells.lstm import LSTMWeights, lstm_forward
from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Step,
    Tensor,
    above,
    below,
    right_of,
)

VOCABULARY = "aeht"
TEXT = "thea"  # read the first three, guess the last three
E = np.array([[0.9, -0.3], [0.7, 0.4], [-0.5, 0.8], [-0.8, -0.6]])  # (V, d)
# one block of two rows for each of candidate, forget, input and output
W_X = np.array([[2, 1], [-1, 2], [0, 1], [1, 0], [1, 1], [1, -1], [0, 1], [1, 0.0]])
W_H = np.array([[1, 0], [0, 1], [0, 0], [0, 0], [0, 1], [1, 0], [0, 0], [0, 0.0]])
B = np.array([0, 0, 1, 1, 1, 1, 1, 1.0])
W_Y = np.array([[4.0, 6.0], [-5.0, 4.0], [-5.0, -5.0], [3.0, -1.0]])  # (V, d_h)
PITCH = 2.2  # inches from one time step to the next
STEPS = len(TEXT) - 1


def numbers() -> tuple[np.ndarray, np.ndarray]:
    """States (T, 2) and probabilities of the next letter, (T, V)."""
    rows = E[[VOCABULARY.index(letter) for letter in TEXT[:-1]]]
    h = lstm_forward(LSTMWeights(W_X, W_H, B), rows[None])[0][0]
    weights = np.exp(h @ W_Y.T)
    return h, weights / weights.sum(axis=1, keepdims=True)


def language_model_unrolled() -> Diagram:
    """Letters below, guesses above, the state from left to right."""
    h, p = numbers()
    start = Tensor(
        "h_0", np.zeros(2), label="$h_0$", at=(2.25, 1.9), role="state", side="bottom"
    )
    matrix = Tensor(
        "E",
        E,
        label="$E$",
        shape="$(V, d)$",
        at=(0.75, 1.9),
        role="parameter",
        side="bottom",
    )
    nodes, arrows = [matrix, start], []
    for t in range(1, STEPS + 1):
        nodes += _time_step(t, h[t - 1], p[t - 1])
        arrows += _arrows(t)
    return Diagram(
        "A language model",
        (*nodes, *arrows),
        steps=_steps(p),
        describes=DESCRIPTION,
        beside=False,
    )


def _time_step(t: int, h: np.ndarray, p: np.ndarray) -> list:
    """Letter, its row of E, the cell, the new state, four probabilities, the target."""
    cell = Box(
        f"cell_{t}", "LSTM", at=(1.15 + PITCH * t, 1.9), role="parameter", high=0.4
    )
    values = E[VOCABULARY.index(TEXT[t - 1])]
    row = Tensor(f"e_{t}", values, label=f"$E_{{x_{t}}}$", role="input", side="right")
    row = below(cell, row, gap=0.3)
    letter = below(row, Box(f"x_{t}", f"“{TEXT[t - 1]}”", role="input"), gap=0.3)
    state = Tensor(f"h_{t}", h, label=f"$h_{t}$", role="state", side="bottom")
    state = right_of(cell, state, gap=0.28)
    guess = Tensor(
        f"p_{t}",
        p,
        label=f"$p_{t}$",
        shape="a, e, h, t",
        role="output",
        side="left",
        limit=1.0,
    )
    guess = above(state, guess, gap=0.4)
    target = Box(f"y_{t}", f"“{TEXT[t]}”", role="plain")
    return [cell, row, letter, state, guess, above(guess, target, gap=0.3)]


def _arrows(t: int) -> list[Arrow]:
    return [
        Arrow(f"x_{t}", f"e_{t}", role="input"),
        Arrow(f"e_{t}", f"cell_{t}", role="input"),
        Arrow(f"h_{t - 1}", f"cell_{t}", role="state"),
        Arrow(f"cell_{t}", f"h_{t}", role="state"),
        Arrow(f"h_{t}", f"p_{t}", "$W_y$", role="output"),
        Arrow(f"y_{t}", f"p_{t}"),
    ]


def _all(path: str) -> str:
    """The same path at every time step."""
    return ", ".join(
        path.replace("#-", str(t - 1)).replace("#", str(t)) for t in range(1, STEPS + 1)
    )


def _steps(p: np.ndarray) -> tuple[Step, ...]:
    came = [p[t, VOCABULARY.index(TEXT[t + 1])] for t in range(STEPS)]
    said = ", ".join(f"{value:.2f}" for value in came)
    loss = -np.log(came).mean()
    return (
        Step(
            "Look up",
            f"E, {_all('x_# > e_#')}",
            r"$E_{x_t}$",
            "Each letter picks its own row of the table E.",
        ),
        Step(
            "Read",
            _all("e_# > cell_# > h_#, h_#- > cell_#"),
            r"$h_t, c_t = \mathrm{LSTM}(E_{x_t}, h_{t-1}, c_{t-1})$",
            "The state carries what was read from left to right.",
        ),
        Step(
            "Guess",
            _all("h_# > p_#"),
            r"$p_t = \mathrm{softmax}(W_y h_t + b_y)$",
            "After every letter there is one probability for each of the V letters.",
        ),
        Step(
            "Compare",
            _all("y_# > p_#"),
            r"$L = -\frac{1}{T} \sum_t \ln p_t(x_{t+1})$",
            "The target is the next letter, the text shifted by one. These got "
            f"{said}: a loss of {loss:.2f} nats.",
            mark={
                f"p_{t}": (VOCABULARY.index(TEXT[t]), 0) for t in range(1, STEPS + 1)
            },
        ),
    )


DESCRIPTION = (
    "A language model reads the letters t, h and e. Each picks a row of the embedding "
    "table, which enters an LSTM together with the state before it. From every state "
    "four probabilities are read, one for each letter of the vocabulary, and compared "
    "with the letter that comes next."
)
