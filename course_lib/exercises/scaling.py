"""Exercises of lecture 12, the modern block and its scaling law."""

import math

import numpy as np
from numpy.random import Generator

from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.models import scaling_runs
from course_lib.models.modern import ModernLM, wide
from course_lib.models.scaling_runs import Setting
from course_lib.seeds import set_seed


def turned(x: np.ndarray, m: int) -> np.ndarray:
    """Columns i and i + half are a point, turned by m theta_i."""
    half = len(x) // 2
    angle = m * 10_000.0 ** (-np.arange(half) / half)
    a, b = x[:half], x[half:]
    c, s = np.cos(angle), np.sin(angle)
    return np.concatenate([a * c - b * s, a * s + b * c])


def a_query(rng: Generator) -> tuple:
    width = int(rng.choice([4, 6]))
    return rng.standard_normal(width).round(1), int(rng.integers(2, 9))


def neighbours(x: np.ndarray, m: int) -> np.ndarray:
    """The other convention: columns 2i and 2i + 1."""
    moved = turned(np.concatenate([x[0::2], x[1::2]]), m)
    out = np.empty_like(moved)
    out[0::2], out[1::2] = moved[: len(x) // 2], moved[len(x) // 2 :]
    return out


def with_angles(x: np.ndarray, angle: np.ndarray) -> np.ndarray:
    half = len(x) // 2
    a, b, c, s = x[:half], x[half:], np.cos(angle), np.sin(angle)
    return np.concatenate([a * c - b * s, a * s + b * c])


def overwritten(x: np.ndarray, m: int) -> np.ndarray:
    """In place: the second half is turned with a first half that has moved."""
    new, half = turned(x, m), len(x) // 2
    angle = m * 10_000.0 ** (-np.arange(half) / half)
    new[half:] = new[:half] * np.sin(angle) + x[half:] * np.cos(angle)
    return new


def wrong_sign(x: np.ndarray, m: int) -> np.ndarray:
    """a sin - b cos."""
    new, half = turned(x, m), len(x) // 2
    angle = m * 10_000.0 ** (-np.arange(half) / half)
    new[half:] -= 2 * x[half:] * np.cos(angle)
    return new


def same_angle(x: np.ndarray, m: int) -> np.ndarray:
    return with_angles(x, m * np.ones(len(x) // 2))


def fast_angles(x: np.ndarray, m: int) -> np.ndarray:
    """i / d instead of 2i / d."""
    return with_angles(x, m * 10_000.0 ** (-np.arange(len(x) // 2) / len(x)))


def slow_angles(x: np.ndarray, m: int) -> np.ndarray:
    """-2i / half: the 2 is counted twice."""
    half = len(x) // 2
    return with_angles(x, m * 10_000.0 ** (-2 * np.arange(half) / half))


def growing_angles(x: np.ndarray, m: int) -> np.ndarray:
    """Without the minus of the exponent."""
    half = len(x) // 2
    return with_angles(x, m * 10_000.0 ** (np.arange(half) / half))


TURN_MISTAKES = {
    "You turned the other way: the new first entry is a cos - b sin.": (
        lambda x, m: turned(x, -m)
    ),
    "You paired neighbouring columns. Some papers do; here column i belongs to column "
    "i + half.": neighbours,
    "The second entry is made of the old first one: your first line has already "
    "written over it.": overwritten,
    "The second entry is a sin + b cos; yours has a minus.": wrong_sign,
    "Every pair has an angle of its own: theta_i = 10000^(-2i/d).": same_angle,
    "The exponent is -2i/d: with i/d the pairs turn too fast.": fast_angles,
    "-2i/d is -i/half: with -2i/half the later pairs turn too slowly.": slow_angles,
    "The minus of the exponent is missing: later pairs turn slower.": growing_angles,
    "That is position m + 1; count positions from 0.": lambda x, m: turned(x, m + 1),
    "Angles are in radians here, not in degrees.": (
        lambda x, m: turned(x, np.deg2rad(m))
    ),
}


def cache_bytes(L: int, G: int, d_h: int, T: int, B: int, each: int) -> int:
    """Keys and values: two arrays (B, G, T, d_h) in every layer."""
    return 2 * L * B * G * T * d_h * each


def a_cache(rng: Generator) -> tuple:
    L, G, d_h, T, B = (int(rng.choice(c)) for c in ([2, 3], [4, 8], [5, 7], [11], [3]))
    return L, G, d_h, T, B, int(rng.choice([2, 4]))


CACHE_MISTAKES = {
    "Keys and values are both kept: twice as much.": (
        lambda L, G, d, T, B, e: L * B * G * T * d * e
    ),
    "Every layer has a cache of its own.": (
        lambda L, G, d, T, B, e: 2 * B * G * T * d * e
    ),
    "Every text of the batch has a cache of its own.": (
        lambda L, G, d, T, B, e: 2 * L * G * T * d * e
    ),
    "There are G heads of keys and values, each with a row for every token.": (
        lambda L, G, d, T, B, e: 2 * L * B * T * d * e
    ),
    "Queries are not kept: two arrays, not three.": (
        lambda L, G, d, T, B, e: 3 * L * B * G * T * d * e
    ),
    "`each` is in bytes already; 8 bits make one of them.": (
        lambda L, G, d, T, B, e: 2 * L * B * G * T * d * e / 8
    ),
    "These are numbers; each of them takes `each` bytes.": (
        lambda L, G, d, T, B, e: 2 * L * B * G * T * d
    ),
    "The weights are (T, T), but they are not kept; keys and values have one row for "
    "each token.": lambda L, G, d, T, B, e: 2 * L * B * G * T * T * e,
}


def grouped(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Head h of H asks the keys of group h // (H / G); causal."""
    H, T, d_h = q.shape
    served = H // len(k)
    out = np.empty((H, T, v.shape[2]))
    for h in range(H):
        g = h // served
        scores = q[h] @ k[g].T / math.sqrt(d_h)
        scores[np.triu_indices(T, 1)] = -np.inf
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        out[h] = weights / weights.sum(axis=1, keepdims=True) @ v[g]
    return out


def some_heads(rng: Generator) -> tuple:
    H, G = [(4, 2), (6, 2), (6, 3)][int(rng.integers(3))]
    q, k, v = (rng.standard_normal((n, 3, 2)).round(1) for n in (H, G, G))
    return q, k, v


def in_turn(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Head h asks group h mod G."""
    times = len(q) // len(k)
    return grouped(q, np.tile(k, (times, 1, 1)), np.tile(v, (times, 1, 1)))


def sees_everything(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """No mask."""
    served, d_h = len(q) // len(k), q.shape[2]
    K, V = np.repeat(k, served, axis=0), np.repeat(v, served, axis=0)
    weights = np.exp(q @ K.transpose(0, 2, 1) / math.sqrt(d_h))
    return weights / weights.sum(axis=2, keepdims=True) @ V


def without_itself(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Each token sees the earlier ones only; the first, with nothing, sees all."""
    return attended(q, k, v, np.tri(q.shape[1], k=-1), axis=2)


def over_the_queries(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The softmax along the wrong axis."""
    return attended(q, k, v, np.tri(q.shape[1]), axis=1)


def attended(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, mask: np.ndarray, axis: int
) -> np.ndarray:
    """With a mask and an axis of the softmax to choose."""
    served, d_h = len(q) // len(k), q.shape[2]
    K, V = np.repeat(k, served, axis=0), np.repeat(v, served, axis=0)
    scores = np.where(mask > 0, q @ K.transpose(0, 2, 1) / math.sqrt(d_h), -1e9)
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True) @ V


def looks_ahead(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The mask upside down."""
    return attended(q, k, v, np.tri(q.shape[1]).T, axis=2)


def over_all_pairs(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """One softmax over the whole triangle of a head."""
    served, (_, T, d_h) = len(q) // len(k), q.shape
    K, V = np.repeat(k, served, axis=0), np.repeat(v, served, axis=0)
    weights = np.exp(q @ K.transpose(0, 2, 1) / math.sqrt(d_h)) * np.tri(T)
    return weights / weights.sum(axis=(1, 2), keepdims=True) @ V


def sees_zeros(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Scores of later tokens set to 0, before the softmax."""
    served, d_h = len(q) // len(k), q.shape[2]
    K, V = np.repeat(k, served, axis=0), np.repeat(v, served, axis=0)
    weights = np.exp(np.tril(q @ K.transpose(0, 2, 1) / math.sqrt(d_h)))
    return weights / weights.sum(axis=2, keepdims=True) @ V


GROUP_MISTAKES = {
    "You dealt the groups out in turn, 0 1 0 1. Neighbouring heads share: 0 0 1 1, "
    "as np.repeat and repeat_interleave do.": in_turn,
    "The mask is missing: token n looks at tokens 0 to n.": sees_everything,
    "A score of 0 still has weight, e^0 = 1: later tokens get minus infinity before "
    "the softmax.": sees_zeros,
    "The diagonal is masked as well: token n looks at itself, too.": without_itself,
    "The weights of one query add up to 1: softmax along the keys, the last axis.": (
        over_the_queries
    ),
    "The mask is upside down: token n looks at tokens 0 to n, not at n and later "
    "ones.": looks_ahead,
    "The weights of each query add up to 1; yours do so for the whole head.": (
        over_all_pairs
    ),
    "The width is that of one head, d_h, not that of all heads together.": (
        lambda q, k, v: grouped(q / math.sqrt(len(q)), k, v)
    ),
    "The scale is 1 / root of d_h.": (
        lambda q, k, v: grouped(q * math.sqrt(q.shape[2]), k, v)
    ),
    "All heads got the first group.": (
        lambda q, k, v: grouped(q, k[:1].repeat(len(k), 0), v[:1].repeat(len(k), 0))
    ),
}


def best_split(C: float, A: float, alpha: float, B: float, beta: float) -> float:
    r"""A N^-alpha + B (6N/C)^beta: the derivative by N vanishes at N_opt."""
    return (alpha * A / (beta * B) * (C / 6) ** beta) ** (1 / (alpha + beta))


def a_budget(rng: Generator) -> tuple:
    A, B = (float(rng.choice([5.0, 20.0, 60.0])) for _ in range(2))
    alpha, beta = (float(rng.choice([0.25, 0.35, 0.5])) for _ in range(2))
    return float(rng.choice([1e9, 1e11, 1e12])), A, alpha, B, beta


SPLIT_MISTAKES = {
    "You forgot the 6 of C = 6ND.": lambda C, A, a, B, b: best_split(6 * C, A, a, B, b),
    "The 6 stands inside the power: D = C / 6N.": (
        lambda C, A, a, B, b: best_split(6 * C, A, a, B, b) / 6
    ),
    "That is D; N is asked for.": (
        lambda C, A, a, B, b: C / 6 / best_split(C, A, a, B, b)
    ),
    "At the best split the two terms are not equal: their slopes in log N are.": (
        lambda C, A, a, B, b: (A / B * (C / 6) ** b) ** (1 / (a + b))
    ),
    "The fraction stands upside down: N grows with alpha A, the worth of size.": (
        lambda C, A, a, B, b: (b * B / (a * A) * (C / 6) ** b) ** (1 / (a + b))
    ),
    "C has the power beta / (alpha + beta): it comes with D, and D's power is beta.": (
        lambda C, A, a, B, b: (a * A / (b * B) * (C / 6) ** a) ** (1 / (a + b))
    ),
    "(C / 6) to the power beta stands under the root as well.": (
        lambda C, A, a, B, b: (a * A / (b * B)) ** (1 / (a + b)) * (C / 6) ** b
    ),
    "That is 1 / N: the root is of the inverse.": (
        lambda C, A, a, B, b: 1 / best_split(C, A, a, B, b)
    ),
    "More compute must allow a larger N: 6 / C stands on the other side.": (
        lambda C, A, a, B, b: (a * A / (b * B) * (6 / C) ** b) ** (1 / (a + b))
    ),
    "The last step is a root: the whole fraction to the power 1 / (alpha + beta).": (
        lambda C, A, a, B, b: (a * A / (b * B) * (C / 6) ** b) ** (a + b)
    ),
    "That is half of the logarithm for each, right only where alpha = beta and "
    "A = B.": lambda C, A, a, B, b: math.sqrt(C / 6),
}


def price_of_sharing(
    width: int = 32, letters: int = 2**18, seeds: int = 3
) -> dict[int, list[float]]:
    """Four, two or one head of keys and values: validation loss of every seed.

    Fewer heads of keys are also fewer weights. So that only the sharing differs, SwiGLU
    gets the columns that attention gave up: three rows of it for each row of W_k and
    W_v that is gone, up to a whole number. The rate is the same for all three, that of
    the rule; a difference smaller than that between seeds is none.

    One run of this gave 2.17 to 2.24 with four heads of keys, 2.17 to 2.21 with two and
    2.16 to 2.21 with one: nothing that three seeds could show, at this size.
    """
    setting = Setting(width, letters, scaling_runs.rate(width))
    found: dict[int, list[float]] = {}
    for kv_heads in (4, 2, 1):
        for seed in range(seeds):
            set_seed(seed)
            gone = 2 * (4 - kv_heads) * width // 4  # rows of W_k and W_v
            model = ModernLM(78, width, 4, kv_heads, 2, wide(width) + round(gone / 3))
            scaling_runs.learn(model, setting)
            found.setdefault(kv_heads, []).append(
                scaling_runs.nats(model, "validation")
            )
    return found


EXERCISES = Exercises(
    "scaling",
    Exercise(1, "*", turned, a_query, TURN_MISTAKES),
    Exercise(2, "*", cache_bytes, a_cache, CACHE_MISTAKES),
    Exercise(3, "**", grouped, some_heads, GROUP_MISTAKES),
    Exercise(4, "**", best_split, a_budget, SPLIT_MISTAKES),
    Exercise(5, "***", price_of_sharing),
)
check, solution = EXERCISES.check, EXERCISES.solution
