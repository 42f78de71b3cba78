"""Exercises of lecture 03b, the size of a product of many matrices."""

import numpy as np
from numpy.random import Generator

from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.models.gradient_curve import gradient_curve


def spectral_radius(W: np.ndarray) -> float:
    """max |lambda| over all eigenvalues, which may be complex or negative."""
    return np.abs(np.linalg.eigvals(W)).max()


def square(rng: Generator) -> tuple:
    """A rotation, stretched, that outweighs a real eigenvalue of the other sign.

    Now and then the real one has the larger real part. Then NumPy's largest complex
    number, found by real parts, is not the one with the largest absolute value.
    """
    a, b = rng.uniform(1, 2, 2).round(1)
    corner = -float(np.hypot(a, b)) * rng.uniform(0.7, 0.9)
    W = np.array([[a, -b, rng.uniform(1, 3)], [b, a, 1.0], [0.0, 0.0, corner]])
    W *= rng.choice([-1, 1])
    return (W.round(2),)


RADIUS_MISTAKES = {
    "That is the largest singular value; it bounds the radius from above.": (
        lambda W: np.linalg.norm(W, 2)
    ),
    "max of complex numbers goes by real parts: first the absolute values, then max.": (
        lambda W: np.abs(np.linalg.eigvals(W).max())
    ),
    "That is the largest real part; take the absolute value |a + bi|.": (
        lambda W: np.linalg.eigvals(W).real.max()
    ),
    "That is the largest |real part|; |a + bi| also counts the imaginary part.": (
        lambda W: np.abs(np.linalg.eigvals(W).real).max()
    ),
    "That is the Frobenius norm.": np.linalg.norm,
    "Those are all the absolute values; the radius is the largest of them.": (
        lambda W: np.abs(np.linalg.eigvals(W))
    ),
    "That is the absolute value of the determinant, the product of all eigenvalues.": (
        lambda W: abs(np.linalg.det(W))
    ),
}


def smaller_for_good(W: np.ndarray) -> int:
    """The smallest K such that the norm of W^k is below 1 for every k >= K.

    Once the norm of some power is below 1 it may rise again, but for k = qn + r it is
    at most |W^n|^q |W^r|. So wait until a power n is so small that it outweighs the
    largest of the n powers before it, and look back from there.
    """
    norms, power = [1.0], np.eye(len(W))
    while norms[-1] * max(norms) >= 1:
        power = power @ W
        norms.append(float(np.linalg.norm(power, 2)))
    return 1 + max(k for k, norm in enumerate(norms) if norm >= 1)


def rises_then_falls(rng: Generator) -> tuple:
    """Turns in a plane that is stretched one way: the norm of W^k goes up and down.

    Now and then it shrinks so slowly that looking at a hundred powers is not enough.
    """
    slowly = rng.uniform() < 0.4
    rho = 0.99 if slowly else rng.uniform(0.7, 0.9)
    angle = rng.uniform(0.5, 1.2)
    c, s, stretch = np.cos(angle), np.sin(angle), rng.uniform(3, 8)
    W = rho * np.array([[c, -s * stretch], [s / stretch, c]])
    return (W.round(3),)


def _first_below(W: np.ndarray) -> int:
    k = 1
    while np.linalg.norm(np.linalg.matrix_power(W, k), 2) >= 1:
        k += 1
    return k


def _of_a_hundred(W: np.ndarray) -> int:
    powers = (np.linalg.matrix_power(W, k) for k in range(100))
    return 1 + max(k for k, P in enumerate(powers) if np.linalg.norm(P, 2) >= 1)


GOOD_MISTAKES = {
    "That is the first power below 1; a later one is above 1 again.": _first_below,
    "You stopped at a fixed power; a slower matrix takes longer. See the hint.": (
        _of_a_hundred
    ),
    "One too few: that power is the last one that is not below 1.": (
        lambda W: smaller_for_good(W) - 1
    ),
}


def critical_radius(activation: str, drive: float, seed: int) -> float:
    """Radius at which the middle norm at lag 40 is 1, by halving an interval."""
    low, high = 0.05, 20.0
    for _ in range(14):
        middle = np.sqrt(low * high)
        last = np.median(gradient_curve(middle, activation, drive, seed).norms[:, -1])
        low, high = (low, middle) if last > 1 else (middle, high)
    return float(low)


def where_it_breaks_even(drives=(0.0, 0.5, 1.0, 2.0), seeds=range(5)) -> dict:
    """One change at a time: the size of the inputs, then the activation.

    Found for five matrices, smallest and largest radius that breaks even over 40 steps:
    inputs       0             0.5           1             2
    identity     0.98 - 0.99   0.98 - 0.99   0.98 - 0.99   0.98 - 0.99
    tanh         0.98 - 0.99   1.60 - 2.19   1.98 - 2.44   2.57 - 3.29
    sigmoid      6.3 - 20      8.6 - 20      9.4 - 20      10.9 - 20
    The identity is a check: its answer cannot depend on the inputs, and it is a little
    below 1 because a norm starts above its radius. A tanh network without inputs rests
    at 0, where all slopes are 1. Larger inputs need a larger radius. For the sigmoid 20
    was the end of the interval: some matrices did not break even below it at all, so
    a rule such as "four times the radius of tanh" would be wrong.
    """
    return {
        (activation, drive): [critical_radius(activation, drive, s) for s in seeds]
        for activation in ("identity", "tanh", "sigmoid")
        for drive in drives
    }


EXERCISES = Exercises(
    "size_of_a_product",
    Exercise(1, "*", spectral_radius, square, RADIUS_MISTAKES),
    Exercise(2, "**", smaller_for_good, rises_then_falls, GOOD_MISTAKES),
    Exercise(3, "***", where_it_breaks_even, helpers=(critical_radius,)),
)
check, solution = EXERCISES.check, EXERCISES.solution
