"""Exercises of lecture 15: other right answers pass, mistakes are named."""

import math

import numpy as np
from exercise_cases import variants

from course_lib.exercises.efficient_attention import EXERCISES, errors_by_sharpness


def without_a_maximum(t1, z1, y1, t2, z2, y2):
    """In one go: the numbers here are small."""
    e1, e2 = np.exp(t1), np.exp(t2)
    return (e1 * y1 + e2 * y2) / (e1 * z1 + e2 * z2)


def to_the_first(t1, z1, y1, t2, z2, y2):
    c = np.exp(t2 - t1)
    return (y1 + c * y2) / (z1 + c * z2)


def as_a_column(S, z, q, k, v):
    S = S + k[:, None] * v
    return (S.T @ q) / ((z + k) * q).sum()


RIGHT = [
    (1, without_a_maximum),
    (1, to_the_first),
    (2, lambda N, w: (N - 2 + w) // w),
    (2, lambda N, w: -(-(N - 1) // w)),
    (3, lambda a, b, error: math.expm1(((a + b) ** 2).sum()) / error**2),
    (4, as_a_column),
    (6, lambda L, H, d, N: L * 2 * H * d * N * 4),
]
WRONG = [
    (1, lambda t1, z1, y1, t2, z2, y2: (y1 + y2) / (z1 + z2), "same maximum"),
    (1, lambda t1, z1, y1, t2, z2, y2: (y1 / z1 + y2 / z2) / 2, "mean of the two"),
    (1, lambda t1, z1, y1, t2, z2, y2: y1 / z1, "expected"),
    (1, lambda t1, z1, y1, t2, z2, y2: (z1 * y1 + z2 * y2) / (z1 + z2), "not divided"),
    (2, lambda N, w: math.ceil(math.log(N, 2 * w + 1)), "grows by w"),
    (2, lambda N, w: 13, "expected"),  # one instance would let it pass
    (2, lambda N, w: N // w, "expected"),
    (2, lambda N, w: (N - 1) // w, "Round up"),
    (2, lambda N, w: math.ceil(N / w), "not N"),
    (2, lambda N, w: math.ceil(N / (2 * w)), "the middle"),
    (6, lambda layers, heads, d, n: 2 * 8 * layers * heads * d * n, "not 8"),
    (6, lambda layers, heads, d, n: 8 * layers * heads * d * (n - 1), "the last one"),
    (3, lambda a, b, e: (np.exp((a + b) @ (a + b)) - 1) / e, "root of r"),
    (3, lambda a, b, e: np.exp((a + b) @ (a + b)) / e**2, "Subtract 1"),
    (4, lambda S, z, q, k, v: S.T @ q / (z @ q), "before it writes"),
    (4, lambda S, z, q, k, v: (S + np.outer(k, v)).T @ q, "division"),
    (6, lambda L, H, d, N: 2 * L * H * d * N, "4 bytes"),
    (6, lambda L, H, d, N: 8 * H * d * N, "Every layer"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_writing_into_the_state_is_noticed():
    from course_lib.exercises.exercise import examine

    def in_place(S, z, q, k, v):
        S += np.outer(k, v)
        z += k
        return S.T @ q / (z @ q)

    assert "changes its arguments" in examine(EXERCISES[4], in_place)


def test_the_experiment_tells_the_methods_apart():
    rows = errors_by_sharpness(N=64, scales=(0.1, 3.0), draws=3)
    assert set(map(len, rows.values())) == {2}
    soft, sharp = rows["random features, anywhere"]
    assert soft < sharp
    assert rows["window, near"][1] < rows["window, anywhere"][0]


def test_the_experiment_finds_what_its_solution_tells():
    rows = errors_by_sharpness(draws=3)
    for kind in ("near", "anywhere"):
        window, features, mean = (
            rows[f"{name}, {kind}"]
            for name in ("window", "random features", "plain mean")
        )
        ratio = [f / m for f, m in zip(features, mean, strict=True)]
        assert max(ratio[:2]) < 0.8 < ratio[3] < 1
        assert window[0] > 2
        assert window[3] < 0.2
    assert rows["window, near"][2] < 1 < rows["window, anywhere"][2]
