r"""A scan over four steps as a tree: neighbours are joined first, then the joints.

The recurrence is h_t = a_t h_(t-1) + b_t with numbers that can be done in the head.
"""

import numpy as np

from course_lib.models.scan import affine
from course_lib.show.diagram import Arrow, Diagram, Op, Step, Tensor

A_T, B_T = (0.5, 0.5, 2.0, 0.5), (4.0, 2.0, 1.0, 3.0)
PITCH = 0.95  # inches from one step of time to the next


def numbers() -> dict[str, np.ndarray]:
    """The pair (a, b) of every step and of every stretch of steps that is joined."""
    e = {f"e_{t}": np.array([A_T[t - 1], B_T[t - 1]]) for t in (1, 2, 3, 4)}
    rows = lambda pair: tuple(pair[:, None])  # one step of time each  # noqa: E731
    join = lambda x, y: np.concatenate(affine(rows(x), rows(y)))  # noqa: E731
    p_12, p_34 = join(e["e_1"], e["e_2"]), join(e["e_3"], e["e_4"])
    p_13 = join(p_12, e["e_3"])
    return e | {"p_12": p_12, "p_34": p_34, "p_13": p_13, "p_14": join(p_12, p_34)}


def scan_tree() -> Diagram:
    """Time goes down, rounds of joining go to the right."""
    n = numbers()
    place = {f"e_{t}": (0.0, -PITCH * t) for t in (1, 2, 3, 4)}
    place |= {"p_12": (2.7, -2 * PITCH), "p_34": (2.7, -4 * PITCH)}
    place |= {"p_13": (5.1, -3 * PITCH), "p_14": (7.3, -4 * PITCH)}
    labels = {f"e_{t}": f"$(a_{t}, b_{t})$" for t in (1, 2, 3, 4)}
    labels |= {"p_12": "steps 1 to 2", "p_34": "steps 3 to 4"}
    labels |= {"p_13": "steps 1 to 3", "p_14": "steps 1 to 4"}
    roles = {name: "input" if name[0] == "e" else "state" for name in place}
    tensors = [
        Tensor(
            name,
            n[name][None],
            label=labels[name],
            at=at,
            role=roles[name],
            side="left" if name[0] == "e" else "bottom",
            limit=6.0,
        )
        for name, at in place.items()
    ]
    ops = [
        Op("join_12", "•", at=(1.5, -2 * PITCH)),
        Op("join_34", "•", at=(1.5, -4 * PITCH)),
        Op("join_13", "•", at=(4.0, -3 * PITCH)),
        Op("join_14", "•", at=(6.2, -4 * PITCH)),
    ]
    return Diagram(
        "A scan over four steps",
        (*tensors, *ops, *_arrows()),
        steps=_steps(n),
        describes=DESCRIPTION,
        beside=False,
    )


def _arrows() -> list[Arrow]:
    return [
        Arrow("e_1.right", "join_12.top", role="input"),
        Arrow("e_2", "join_12", role="input"),
        Arrow("join_12", "p_12", role="state"),
        Arrow("e_3.right", "join_34.top", role="input"),
        Arrow("e_4", "join_34", role="input"),
        Arrow("join_34", "p_34", role="state"),
        Arrow("p_12.right", "join_14.top", role="state"),
        Arrow("p_34", "join_14", role="state"),
        Arrow("join_14", "p_14", role="state"),
        Arrow("p_12.right", "join_13.top", role="state"),
        Arrow("e_3", "join_13", role="input"),
        Arrow("join_13", "p_13", role="state"),
    ]


def _steps(n: dict[str, np.ndarray]) -> tuple[Step, ...]:
    say = lambda name: f"({n[name][0]:g}, {n[name][1]:g})"  # noqa: E731
    return (
        Step(
            "Round 1: neighbours",
            "e_1 > join_12 > p_12, e_2 > join_12, e_3 > join_34 > p_34, e_4 > join_34",
            r"$(a_1, b_1) \bullet (a_2, b_2) = (a_2 a_1,\ a_2 b_1 + b_2)$",
            f"Both joints are made at the same time. Steps 1 and 2 together do what "
            f"one step {say('p_12')} does.",
        ),
        Step(
            "Round 2: stretches",
            "p_12 > join_14 > p_14, p_34 > join_14, "
            "p_12 > join_13 > p_13, e_3 > join_13",
            r"$h_3 = b_{1:3}, \qquad h_4 = b_{1:4} \qquad (h_0 = 0)$",
            f"The joint of steps 1 and 2 is used twice: before step 3, and before "
            "steps 3 and 4. The second number of each stretch that begins at step 1 "
            f"is the state: {n['p_13'][1]:g} and {n['p_14'][1]:g}.",
        ),
    )


DESCRIPTION = (
    "Four pairs of numbers, one for each time step, stand one below the other. In the "
    "first round steps 1 and 2 are joined to one pair and steps 3 and 4 to another. In "
    "the second round the first joint is joined with step 3 and with the second joint, "
    "which gives the states after three and after four steps."
)
