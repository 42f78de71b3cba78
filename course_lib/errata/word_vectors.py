"""Word vectors: analogies."""

import numpy as np

from course_lib.errata.evidence import decide


def an_analogy_is_a_nearest_neighbour() -> str:
    """E67: king - male + female is near queen, not equal to it.

    Vectors are logarithms of counts of neighbours, made up for the example.
    """
    words = ["king", "queen", "male", "female", "apple"]
    beside = [  # throne, crown, he, she, eat
        [90, 80, 40, 6, 9],
        [85, 88, 5, 43, 8],
        [9, 8, 95, 11, 30],
        [8, 9, 10, 99, 33],
        [2, 1, 9, 8, 90],
    ]
    E = dict(zip(words, np.log(np.array(beside, float)), strict=True))
    target = E["king"] - E["male"] + E["female"]
    distance = {w: np.linalg.norm(E[w] - target) for w in ("queen", "apple")}
    facts = [distance["queen"] == 0, distance["queen"] < distance["apple"]]
    what = "equal, nearest of the others?"
    settled = decide(what, facts, [True, True], [False, True], bound=0)
    share = distance["queen"] / np.linalg.norm(E["queen"])
    return f"{settled}; {share:.0%} of queen's length away"
