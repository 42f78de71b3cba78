r"""One round of speculative decoding with numbers: two drafts accepted, one replaced.

Four tokens, three drafts. Lecture 12b.
"""

from dataclasses import replace

import numpy as np

from course_lib.show.diagram import Arrow, Box, Diagram, Step, Tensor, below, right_of

VOCABULARY = ("and", "my", "lord", "king")
Q = np.array([[0.2, 0.5, 0.2, 0.1], [0.1, 0.1, 0.5, 0.3], [0.6, 0.1, 0.1, 0.2]])
P = np.array(
    [
        [0.1, 0.6, 0.1, 0.2],
        [0.1, 0.0, 0.4, 0.5],
        [0.3, 0.2, 0.1, 0.4],
        [0.4, 0.3, 0.1, 0.2],
    ]
)
DRAFTS = (1, 2, 0)  # my lord and
CHANCE = (0.42, 0.35, 0.71)  # uniform random numbers
REPLACED = 3  # king, drawn from the rest
PITCH = 2.0


def numbers() -> dict[str, np.ndarray]:
    """The ratio of each draft, whether it is accepted, and the rest at the refusal."""
    positions = np.arange(3)
    ratio = P[positions, DRAFTS] / Q[positions, DRAFTS]
    rest = np.maximum(P[2] - Q[2], 0)
    return {
        "ratio": ratio,
        "accepted": np.asarray(CHANCE) < ratio,
        "rest": rest / rest.sum(),
    }


MADE = numbers()


def said(i: int) -> str:
    """The test of draft i in a box."""
    x = DRAFTS[i]
    sign = "<" if MADE["accepted"][i] else "≥"
    sure = min(1.0, MADE["ratio"][i])
    return f"{P[i, x]:.1f} / {Q[i, x]:.1f}\n{CHANCE[i]:.2f} {sign} {sure:.2f}"


STEPS = (
    Step(
        "Draft",
        ", ".join(["q_1 > x_1, q_2 > x_2, q_3 > x_3", *(f"v_{v}" for v in VOCABULARY)]),
        r"$x_i \sim q_i$",
        "A cheap model draws three tokens, one after the other: my, lord, and. Each "
        "column holds its probabilities of the four tokens.",
    ),
    Step(
        "One pass of the target",
        "p_1, p_2, p_3, p_4",
        r"$p_1, \dots, p_4$ at once",
        "The real model reads the three drafts in a single pass, as in training. It "
        "gives its own distribution at four places.",
    ),
    Step(
        "Accept",
        "x_1 > t_1 > y_1, p_1 > t_1, x_2 > t_2 > y_2, p_2 > t_2",
        r"accept with probability $\min(1,\ p_i(x_i)/q_i(x_i))$",
        "A random number below the ratio accepts the draft. Where p gives at least as "
        "much as q, as for my, it is always accepted.",
    ),
    Step(
        "Refuse and draw again",
        "x_3 > t_3, p_3 > t_3, t_3 > rest > y_3",
        r"$x \sim \max(p_3 - q_3,\, 0)\,/\,\mathrm{sum}$",
        "The draft and is refused: 0.71 is not below 0.50. The token is drawn again "
        "from what q had too little of, and the round ends: three tokens in one pass.",
    ),
)
DESCRIPTION = (
    "One round of speculative decoding with numbers. A draft model proposes my, lord, "
    "and. The target gives a distribution at four places in one pass. The first two "
    "drafts are accepted, the third is refused and replaced by king, drawn from the "
    "positive part of p minus q."
)


def speculative_round() -> Diagram:
    """A column for each place: q and p, the draft below q, the test, the token."""
    parts: list = _words()
    for i in range(3):
        q = _column(f"q_{i + 1}", Q[i], f"$q_{i + 1}$", "input", PITCH * i)
        p = right_of(q, _column(f"p_{i + 1}", P[i], f"$p_{i + 1}$", "state"), gap=0.3)
        word = VOCABULARY[DRAFTS[i]]
        x = below(q, Box(f"x_{i + 1}", word, role="input", high=0.34), gap=0.3)
        test = Box(f"t_{i + 1}", said(i), role="weight", high=0.56, wide=1.2)
        middle = (q.at[0] + p.at[0]) / 2
        test = replace(test, at=(middle, x.at[1] - 0.95))
        parts += [q, p, x, test]
        parts += [
            Arrow(f"q_{i + 1}", f"x_{i + 1}", role="input"),
            Arrow(
                f"x_{i + 1}.bottom", f"t_{i + 1}.top:{(q.at[0] - test.box[0]) / 1.2}"
            ),
            Arrow(
                f"p_{i + 1}.bottom", f"t_{i + 1}.top:{(p.at[0] - test.box[0]) / 1.2}"
            ),
        ]
        if MADE["accepted"][i]:
            y = Box(f"y_{i + 1}", f"{word} ✓", role="output", high=0.34)
            parts += [below(test, y, gap=0.3), Arrow(f"t_{i + 1}", f"y_{i + 1}")]
    tests = {part.name: part for part in parts if not isinstance(part, Arrow)}
    last = _column("p_4", P[3], "$p_4$", "state", 0.0)
    last = right_of(tests["p_3"], last, gap=PITCH - 1.42)
    rest = _column("rest", MADE["rest"], "rest", "gradient", 0.0)
    rest = replace(right_of(tests["t_3"], rest, gap=0.45), side="top")
    y = Box("y_3", f"{VOCABULARY[REPLACED]}", role="output", high=0.34)
    y = replace(y, at=(rest.at[0], tests["y_2"].at[1] - 0.3))
    parts += [
        last,
        rest,
        y,
        Arrow("t_3", "rest", role="gradient"),
        Arrow("rest", "y_3"),
    ]
    return Diagram(
        "Speculative decoding",
        tuple(parts),
        steps=STEPS,
        describes=DESCRIPTION,
        beside=False,
    )


def _words() -> list[Box]:
    """The four tokens, each left of its row."""
    heights = [0.28 * (1.5 - row) for row in range(4)]
    boxes = [Box(f"v_{word}", word, role="bare") for word in VOCABULARY]
    return [
        replace(box, at=(-0.34 - box.size[0] / 2, y))
        for box, y in zip(boxes, heights, strict=True)
    ]


def _column(
    name: str, values: np.ndarray, label: str, role: str, x: float = 0.0
) -> Tensor:
    made = Tensor(name, values, label=label, role=role, limit=1.0, at=(x, 0.0))
    return replace(made, cell=(0.56, 0.28))
