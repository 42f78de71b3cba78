r"""One step of the Kalman filter in three panels: predict, look, correct.

The state is one number that halves at every step, so that all can be done in the head.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from course_lib.models.state_space import LinearGaussian, kalman_filter
from course_lib.show.diagram import Arrow, Box, Diagram, Op, Step, Tensor
from course_lib.show.diagram.model import Point

# z_t = 0.5 z_(t-1) + noise of variance 1, x_t = z_t + noise of variance 1
A, Q, C, R = 0.5, 1.0, 1.0, 1.0
M_BEFORE, P_BEFORE, X = 1.5, 2.0, 1.75  # the belief after step 1, and what is seen


def numbers(x: float = X) -> dict[str, float]:
    """All that one step computes, by the library's filter."""
    one = np.ones((1, 1))
    model = LinearGaussian(
        A=A * one,
        B=Q**0.5 * one,
        C=C * one,
        D=R**0.5 * one,
        m_1=np.array([A * M_BEFORE]),
        P_1=(A * P_BEFORE * A + Q) * one,
    )
    made = kalman_filter(model, np.array([[[x]]]))
    m_minus, P_minus = made.m_minus.item(), made.P_minus.item()
    before = {"m_prev": M_BEFORE, "P_prev": P_BEFORE, "x": x}
    seen = {"m_minus": m_minus, "P_minus": P_minus, "e": x - C * m_minus}
    gain = {"S": C * P_minus * C + R, "K": P_minus * C / (C * P_minus * C + R)}
    return before | seen | gain | {"m": made.m.item(), "P": made.P.item()}


DESCRIPTION = (
    "One step of a Kalman filter. On the left the belief after step 1, its mean above "
    "and its variance below. Predict: both are carried through the dynamics. Look: the "
    "expected observation is taken from the seen one, which leaves the innovation; the "
    "variances alone give the gain. Correct: gain times innovation is added to the "
    "predicted mean, and the variance shrinks."
)
TOP, MIDDLE, BOTTOM = 2.75, 1.55, 0.35  # means, what is seen, variances


def kalman_step(x: float = X) -> Diagram:
    """Means above, variances below, the observation between them."""
    n = numbers(x)
    return Diagram(
        "A step of the Kalman filter",
        (*_nodes(n), *_arrows()),
        steps=_steps(n),
        describes=DESCRIPTION,
        beside=False,
    )


def _nodes(n: dict[str, float]) -> list:
    number = partial(Tensor, cell=(0.62, 0.32), limit=3.0)

    def value(name: str, label: str, at: Point, role: str, side: str = "top") -> Tensor:
        made = number(name, np.array([n[name]]), label=label, side=side, role=role)
        return replace(made, at=at)

    rule = partial(Box, role="parameter")
    return [
        value("m_prev", "$m_1$", (0.4, TOP), "state"),
        value("P_prev", "$P_1$", (0.4, BOTTOM), "state"),
        rule("move", "$A\\,m$", at=(1.75, TOP)),
        rule("spread", "$A\\,P A + Q$", at=(1.75, BOTTOM)),
        value("m_minus", "$m^-_2$", (3.3, TOP), "memory"),
        value("P_minus", "$P^-_2$", (3.3, BOTTOM), "memory"),
        value("x", "$x_2$", (1.75, MIDDLE), "input"),
        Op("minus", "−", at=(3.3, MIDDLE)),
        value("e", "innovation", (4.4, MIDDLE), "output"),
        rule("gain", "$P^- / S$", at=(4.55, BOTTOM)),
        value("K", "$K_2$", (5.8, BOTTOM), "weight", "bottom"),
        Op("times", "×", at=(5.8, MIDDLE)),
        Op("plus", "+", at=(5.8, TOP)),
        rule("shrink", "$(1 - K)\\,P^-$", at=(7.2, BOTTOM)),
        value("m", "$m_2$", (8.6, TOP), "state"),
        value("P", "$P_2$", (8.6, BOTTOM), "state"),
    ]


def _arrows() -> list[Arrow]:
    return [
        Arrow("m_prev", "move", role="state"),
        Arrow("P_prev", "spread", role="state"),
        Arrow("move", "m_minus", role="memory"),
        Arrow("spread", "P_minus", role="memory"),
        Arrow("x", "minus", role="input"),
        Arrow("m_minus", "minus", role="memory"),
        Arrow("minus", "e", role="output"),
        Arrow("P_minus", "gain", role="memory"),
        Arrow("gain", "K", role="weight"),
        Arrow("e", "times", role="output"),
        Arrow("K.top", "times.bottom", role="weight"),
        Arrow("times", "plus", role="output"),
        Arrow("m_minus", "plus", role="memory"),
        Arrow("plus", "m", role="state"),
        Arrow("K", "shrink", role="weight"),
        Arrow("P_minus.bottom", "shrink.bottom", role="memory", bend=-0.35),
        Arrow("shrink", "P", role="state"),
    ]


def _steps(n: dict[str, float]) -> tuple[Step, ...]:
    way = "up" if n["e"] > 0 else "down"
    return (
        Step(
            "Predict",
            "m_prev > move > m_minus, P_prev > spread > P_minus",
            r"$m^-_2 = A\,m_1, \qquad P^-_2 = A\,P_1 A + Q$",
            f"The state halves, so the mean halves: {n['m_minus']:.2f}. The variance "
            f"falls to a quarter, {A * P_BEFORE * A:.2f}, and fresh noise of variance "
            f"{Q:g} is added.",
        ),
        Step(
            "Look",
            "x > minus > e, m_minus > minus, P_minus > gain > K",
            r"$e = x_2 - m^-_2, \qquad S = P^-_2 + R, \qquad K_2 = P^-_2 / S$",
            f"Expected was {n['m_minus']:.2f}, give or take a variance of "
            f"{n['P_minus']:g} + {R:g} = {n['S']:g}; seen is {x_text(n['x'])}. Of that "
            f"variance the state's share is K = {n['K']:.0%}.",
        ),
        Step(
            "Correct",
            "e > times > plus > m, K > times, m_minus > plus, "
            "K > shrink > P, P_minus > shrink",
            r"$m_2 = m^-_2 + K_2\,e, \qquad P_2 = (1 - K_2)\,P^-_2$",
            f"So {n['K']:.0%} of the innovation is believed: the mean goes {way} by "
            f"{abs(n['K'] * n['e']):.2f}. The variance falls whatever was seen.",
        ),
    )


def x_text(x: float) -> str:
    """What was seen, with a real minus sign."""
    return f"{x:.2f}".replace("-", "−")
