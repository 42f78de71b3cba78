"""Exercises of lecture 15, efficient attention."""

import math

import numpy as np
import torch
from numpy.random import Generator

from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.models.attention import attention
from course_lib.models.efficient import linear, positive_features
from course_lib.models.sparse import local


def merge(
    mu_1: float,
    z_1: float,
    y_1: np.ndarray,
    mu_2: float,
    z_2: float,
    y_2: np.ndarray,
) -> np.ndarray:
    """Bring both halves to the larger maximum, add sums and outputs, divide."""
    mu = max(mu_1, mu_2)
    c_1, c_2 = np.exp(mu_1 - mu), np.exp(mu_2 - mu)
    return (c_1 * y_1 + c_2 * y_2) / (c_1 * z_1 + c_2 * z_2)


def summary(e: np.ndarray, v: np.ndarray) -> tuple[float, float, np.ndarray]:
    """(maximum, sum, unnormalised output) of one half of the keys"""
    top = float(e.max())
    weights = np.exp(e - top)
    return top, round(float(weights.sum()), 3), (weights @ v).round(3)


def two_halves(rng: Generator) -> tuple:
    """The half with the larger maximum comes first or second, by chance."""
    halves = [
        summary(rng.standard_normal(n).round(1) + shift, rng.standard_normal((n, 2)))
        for n, shift in ((3, 2.0), (4, 0.0))
    ]
    first, second = rng.permutation(2)
    return (*halves[first], *halves[second])


def shrunk(mu_1: float, mu_2: float) -> tuple[float, float]:
    """exp(mu - max) of both halves"""
    mu = max(mu_1, mu_2)
    return float(np.exp(mu_1 - mu)), float(np.exp(mu_2 - mu))


def sums_unscaled(t1, z1, y1, t2, z2, y2):  # noqa: ANN001, ANN201
    c1, c2 = shrunk(t1, t2)
    return (c1 * y1 + c2 * y2) / (z1 + z2)


def undivided(t1, z1, y1, t2, z2, y2):  # noqa: ANN001, ANN201
    c1, c2 = shrunk(t1, t2)
    return c1 * y1 + c2 * y2


def by_maxima(t1, z1, y1, t2, z2, y2):  # noqa: ANN001, ANN201
    c1, c2 = shrunk(t1, t2)
    return (c1 * y1 / z1 + c2 * y2 / z2) / (c1 + c2)


def weighed_twice(t1, z1, y1, t2, z2, y2):  # noqa: ANN001, ANN201
    c1, c2 = shrunk(t1, t2)
    return (c1 * z1 * y1 + c2 * z2 * y2) / (c1 * z1 + c2 * z2)


MERGE_MISTAKES = {
    "Both halves must be brought to the same maximum first: multiply by "
    "exp(mu - max).": lambda t1, z1, y1, t2, z2, y2: (y1 + y2) / (z1 + z2),
    "The sums need the same factors as the outputs.": sums_unscaled,
    "The factors are turned round: the half with the smaller maximum counts less.": (
        lambda t1, z1, y1, t2, z2, y2: merge(t2, z1, y1, t1, z2, y2)
    ),
    "This is the mean of the two outputs; the halves do not weigh the same.": (
        lambda t1, z1, y1, t2, z2, y2: (y1 / z1 + y2 / z2) / 2
    ),
    "The division by the joint sum is missing.": undivided,
    "Add y_1 and y_2 as they are; each holds its sum already.": weighed_twice,
    "A half weighs exp(mu) times its sum z, not exp(mu) alone.": by_maxima,
    "y_1 and y_2 are not divided by their sums yet: do not multiply by them again, and "
    "bring both to the same maximum.": (
        lambda t1, z1, y1, t2, z2, y2: (z1 * y1 + z2 * y2) / (z1 + z2)
    ),
}


def layers_for(N: int, w: int) -> int:
    """In one layer information travels w places; N - 1 lie between the ends."""
    return math.ceil((N - 1) / w)


def length_and_window(rng: Generator) -> tuple:
    """w divides N - 1 in some instances, N in others, neither in most."""
    w = int(rng.integers(2, 6))
    return w * int(rng.integers(6, 25)) + int(rng.integers(w)), w


LAYERS_MISTAKES = {
    "The window reaches w places to each side, and w is what counts: information "
    "from one end must travel N - 1 places.": lambda N, w: math.ceil(N / (2 * w + 1)),
    "Round up: the last layer need not use its whole window.": (
        lambda N, w: (N - 1) // w
    ),
    "Between the first and the last of N positions lie N - 1 places, not N.": (
        lambda N, w: math.ceil(N / w)
    ),
    "Layers are whole: round up.": lambda N, w: (N - 1) / w,
    "Half the way would do for a position in the middle; the ends are N - 1 apart.": (
        lambda N, w: math.ceil(N / (2 * w))
    ),
    "That counts places, not layers.": lambda N, w: N - 1,
    "The reach grows by w with every layer; it is not multiplied by the window.": (
        lambda N, w: math.ceil(math.log(N) / math.log(2 * w + 1))
    ),
}


def features_needed(a: np.ndarray, b: np.ndarray, error: float) -> float:
    """The relative variance (8) is error squared; solve for r."""
    return (math.exp((a + b) @ (a + b)) - 1) / error**2


def two_vectors(rng: Generator) -> tuple:
    a, b = (0.6 * rng.standard_normal((2, 3))).round(2)
    return a, b, float(rng.choice([0.05, 0.1, 0.2]))


FEATURES_MISTAKES = {
    "The error falls with the root of r, so r grows with 1 / error^2.": (
        lambda a, b, error: error * features_needed(a, b, error)
    ),
    "That is for the difference a - b; the sum decides.": (
        lambda a, b, error: features_needed(a, -b, error)
    ),
    "Relative to the kernel: divide the variance by exp(a . b)^2.": (
        lambda a, b, error: np.exp(2 * a @ b) * features_needed(a, b, error)
    ),
    "You have the square root of what is asked.": (
        lambda a, b, error: features_needed(a, b, error) ** 0.5
    ),
    "Subtract 1: the squared mean has to be taken off the second moment.": (
        lambda a, b, error: features_needed(a, b, error) + 1 / error**2
    ),
    "The length of a + b is wanted, with 2 a . b in its square.": (
        lambda a, b, error: (math.exp(a @ a + b @ b) - 1) / error**2
    ),
    "Do not round: the exact value is asked for.": (
        lambda a, b, error: float(math.ceil(features_needed(a, b, error)))
    ),
}


def read_after_writing(
    S: np.ndarray, z: np.ndarray, phi_q: np.ndarray, phi_k: np.ndarray, v: np.ndarray
) -> np.ndarray:
    """First write, then read: position t sees itself."""
    S, z = S + np.outer(phi_k, v), z + phi_k
    return S.T @ phi_q / (z @ phi_q)


def state_and_step(rng: Generator) -> tuple:
    r, d_v = 3, 2
    draw = lambda *shape: rng.random(shape).round(2) + 0.1  # noqa: E731
    return draw(r, d_v), draw(r), draw(r), draw(r), rng.standard_normal(d_v).round(2)


STEP_MISTAKES = {
    "This reads before it writes: position t may look at itself.": (
        lambda S, z, q, k, v: q @ S / (q @ z)
    ),
    "The normaliser must be updated as well: z + phi_k.": (
        lambda S, z, q, k, v: q @ (S + np.outer(k, v)) / (q @ z)
    ),
    "The division by phi_q . z is missing.": (
        lambda S, z, q, k, v: q @ (S + np.outer(k, v))
    ),
    "The state grows by the outer product of phi(k) and v; you overwrote it.": (
        lambda S, z, q, k, v: q @ np.outer(k, v) / (q @ (z + k))
    ),
    "The new sum of keys belongs in the denominator, not the key alone.": (
        lambda S, z, q, k, v: q @ (S + np.outer(k, v)) / (q @ k)
    ),
}


def cache_bytes(layers: int, heads: int, d_head: int, tokens: int) -> int:
    """A key and a value, of every head of every layer, for every position."""
    return 2 * layers * heads * d_head * tokens * 4


def a_model(rng: Generator) -> tuple:
    return tuple(int(n) for n in rng.choice([2, 3, 5, 7, 11, 13], 4, replace=False))


CACHE_MISTAKES = {
    "Keys and values are kept: twice as much.": (
        lambda layers, heads, d, n: cache_bytes(layers, heads, d, n) // 2
    ),
    "That is how many numbers; a float32 has 4 bytes.": (
        lambda layers, heads, d, n: 2 * layers * heads * d * n
    ),
    "In single precision a number has 4 bytes, not 8.": (
        lambda layers, heads, d, n: 16 * layers * heads * d * n
    ),
    "A token that has been read is kept, the last one as well.": (
        lambda layers, heads, d, n: cache_bytes(layers, heads, d, n - 1)
    ),
    "Every layer keeps its own.": lambda layers, heads, d, n: 8 * heads * d * n,
    "Every head keeps its own.": lambda layers, heads, d, n: 8 * layers * d * n,
    "Of every position, not of the last alone.": (
        lambda layers, heads, d, n: 8 * layers * heads * d
    ),
    "The cache holds rows, not pairs: it grows with N, not with N^2.": (
        lambda layers, heads, d, n: 8 * layers * heads * d * n * n
    ),
}


def errors_by_sharpness(
    N: int = 256, d: int = 32, scales: tuple = (0.3, 1.0, 3.0, 12.0), draws: int = 5
) -> dict[str, list[float]]:
    """Median relative error of three methods as the scores grow, on two kinds of keys.

    "near": keys that resemble those of neighbours; "anywhere": keys at random. All
    else is equal: length, width, values, 256 random features, a window of 16.

    Found with 5 draws, where a position scores 0.3, 1, 3, 12 with itself:
    near:      window 2.5, 2.2, 0.85, 0.00; random features 0.04, 0.17, 0.57, 0.83;
               plain mean 0.08, 0.31, 0.83, 0.98
    anywhere:  window 2.5, 2.6, 2.8, 0.13; random features 0.04, 0.15, 0.80, 0.94;
               plain mean 0.06, 0.21, 0.84, 1.00
    Random features are ahead of the plain mean where attention is soft, by about a
    third to a half; the sharper it is, the less. The window is of use once the weight
    lies near by, for keys at random only at 12: there each position reads mostly
    itself, and itself is always in the window. What it leaves open: queries that look
    for other keys than their own, and which of these inputs a trained model makes.
    """
    rows: dict[str, list[float]] = {}
    for kind in ("near", "anywhere"):
        for scale in scales:
            off: dict[str, list[float]] = {}
            for seed in range(draws):
                torch.manual_seed(seed)
                angles = torch.arange(N)[:, None] * torch.randn(d // 2) / 8
                waves = torch.cat([angles.cos(), angles.sin()], dim=1)
                x = waves if kind == "near" else torch.randn(N, d)
                x = x * (scale * d**0.5 / x.square().sum(1).mean()) ** 0.5
                v, omega = torch.randn(N, d), torch.randn(256, d)
                features = positive_features(x, omega)
                truth = attention(x, x, v).output
                got = {
                    "window": local(x, x, v, window=16),
                    "random features": linear(features, features, v),
                    "plain mean": v.mean(dim=0).expand_as(v),
                }
                for name, out in got.items():
                    error = ((out - truth).norm() / truth.norm()).item()
                    off.setdefault(f"{name}, {kind}", []).append(error)
            for name, values in off.items():
                rows.setdefault(name, []).append(float(np.median(values)))
    return rows


EXERCISES = Exercises(
    "efficient_attention",
    Exercise(1, "**", merge, two_halves, MERGE_MISTAKES),
    Exercise(2, "*", layers_for, length_and_window, LAYERS_MISTAKES),
    Exercise(3, "*", features_needed, two_vectors, FEATURES_MISTAKES),
    Exercise(4, "**", read_after_writing, state_and_step, STEP_MISTAKES),
    Exercise(5, "***", errors_by_sharpness),
    Exercise(6, "*", cache_bytes, a_model, CACHE_MISTAKES),
)
check, solution = EXERCISES.check, EXERCISES.solution
