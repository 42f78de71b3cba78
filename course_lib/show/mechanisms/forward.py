r"""One step of the forward algorithm of a hidden Markov model, with its numbers."""

from dataclasses import replace
from functools import partial

import numpy as np

from course_lib.models.state_space import hmm_forward
from course_lib.show.diagram import Arrow, Diagram, Op, Step, Tensor
from course_lib.show.diagram.model import Point

# two states that stay with probability 0.9; the first says a with probability 0.8
PI = np.array([0.5, 0.5])
A = np.array([[0.9, 0.1], [0.1, 0.9]])
B = np.array([[0.8, 0.2], [0.2, 0.8]])
WORD = (0, 0)  # the symbols a, a


def numbers() -> dict[str, np.ndarray]:
    """The second step, after the first a has been seen."""
    beliefs, log_p = hmm_forward(PI, A, B, np.array(WORD))
    predicted = beliefs[0] @ A
    seen = B[:, WORD[1]]
    made = {"b_prev": beliefs[0], "predicted": predicted, "seen": seen}
    evidence = np.exp(log_p[1:])
    return made | {"weighed": predicted * seen, "sum": evidence, "b": beliefs[1]}


DESCRIPTION = (
    "One step of the forward algorithm. The belief, two probabilities, is multiplied "
    "by the table A: the prediction. Each entry is multiplied by how likely its state "
    "says what was seen. The sum of the two is the probability of the symbol, and "
    "dividing by it gives the new belief."
)


def forward_step() -> Diagram:
    """From the belief on the left to the belief on the right."""
    n = numbers()
    return Diagram(
        "A step of the forward algorithm",
        (*_nodes(n), *_arrows()),
        steps=_steps(n),
        describes=DESCRIPTION,
        beside=False,
    )


def _nodes(n: dict[str, np.ndarray]) -> list:
    share = partial(Tensor, cell=(0.62, 0.32), limit=1.0)

    def column(
        name: str, label: str, at: Point, role: str, side: str = "top"
    ) -> Tensor:
        return replace(share(name, n[name], label=label, side=side, role=role), at=at)

    table = share("A", A, label="$A$", shape="from row to column", side="bottom")
    return [
        column("b_prev", "$b_1$", (0.4, 1.5), "state"),
        replace(table, at=(1.5, 0.35), role="parameter"),
        Op("move", "×", at=(1.5, 1.5)),
        column("predicted", "predicted", (2.75, 1.5), "memory"),
        column("seen", "$B_{\\cdot a}$: says a", (4.0, 0.35), "input", "bottom"),
        Op("weigh", "×", at=(4.0, 1.5)),
        column("weighed", "weighed", (5.25, 1.5), "memory"),
        column("sum", "$p(x_2 \\mid x_1)$", (6.5, 0.35), "output", "bottom"),
        Op("divide", "÷", at=(6.5, 1.5)),
        column("b", "$b_2$", (7.75, 1.5), "state"),
    ]


def _arrows() -> list[Arrow]:
    return [
        Arrow("b_prev", "move", role="state"),
        Arrow("A", "move", role="parameter"),
        Arrow("move", "predicted", role="memory"),
        Arrow("predicted", "weigh", role="memory"),
        Arrow("seen", "weigh", role="input"),
        Arrow("weigh", "weighed", role="memory"),
        Arrow("weighed", "divide", role="memory"),
        Arrow("weighed.bottom", "sum.left", role="output"),
        Arrow("sum", "divide", role="output"),
        Arrow("divide", "b", role="state"),
    ]


def _steps(n: dict[str, np.ndarray]) -> tuple[Step, ...]:
    predicted, weighed = n["predicted"], n["weighed"]
    return (
        Step(
            "Predict",
            "b_prev > move > predicted, A > move",
            r"$\mathrm{predicted} = b_1^{\top\!} A$",
            f"State 1 is reached from itself and from state 2: 0.80 · 0.9 + 0.20 · 0.1 "
            f"= {predicted[0]:.2f}.",
        ),
        Step(
            "Look",
            "predicted > weigh > weighed > sum, seen > weigh",
            r"$\mathrm{weighed}_j = \mathrm{predicted}_j \cdot B_{j\,a}$",
            "An a is seen. State 1 says it with probability 0.8, state 2 with 0.2. "
            f"The sum of both, {n['sum'][0]:.3f}, is how much we expected an a.",
        ),
        Step(
            "Correct",
            "weighed > divide > b, sum > divide",
            r"$b_{2,j} = \mathrm{weighed}_j \,/\, p(x_2 \mid x_1)$",
            f"Divided by their sum they are probabilities again: {weighed[0]:.3f} / "
            f"{n['sum'][0]:.3f} = {n['b'][0]:.2f} for state 1.",
        ),
    )
