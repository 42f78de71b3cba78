"""Exercise checks of lecture 15: right answers pass, named mistakes are named."""

import math

import numpy as np
from exercise_cases import exercise_tests

from course_lib.exercises import efficient_attention as ex


def merge(t1, z1, y1, t2, z2, y2):
    """In one go, without a maximum: the numbers here are small."""
    e1, e2 = np.exp(t1), np.exp(t2)
    return (e1 * y1 + e2 * y2) / (e1 * z1 + e2 * z2)


def step(S, z, phi_q, phi_k, v):
    S, z = S + phi_k[:, None] * v, z + phi_k
    return S.T @ phi_q / (z @ phi_q)


def features(u, w, error):
    return (np.exp(((u + w) ** 2).sum()) - 1) / error**2


def cache(layers, heads, d_head, tokens):
    return layers * 2 * heads * d_head * tokens * 4


def shrunk(t1, t2):
    return np.exp(t1 - max(t1, t2)), np.exp(t2 - max(t1, t2))


def mixed(t1, z1, y1, t2, z2, y2):
    c1, c2 = shrunk(t1, t2)
    return (c1 * y1 + c2 * y2) / (z1 + z2)


def turned(t1, z1, y1, t2, z2, y2):
    c2, c1 = np.exp(t1 - t2), 1.0
    return (c1 * y1 + c2 * y2) / (c1 * z1 + c2 * z2)


def undivided(t1, z1, y1, t2, z2, y2):
    c1, c2 = shrunk(t1, t2)
    return c1 * y1 + c2 * y2


def weighed_twice(t1, z1, y1, t2, z2, y2):
    c1, c2 = shrunk(t1, t2)
    return (c1 * z1 * y1 + c2 * z2 * y2) / (c1 * z1 + c2 * z2)


RIGHT = [
    (ex.check_merge, merge),
    (ex.check_layers, lambda N, w: math.ceil((N - 1) / w)),
    (ex.check_layers, lambda N, w: (N - 1 + w - 1) // w),
    (ex.check_step, step),
    (ex.check_features, features),
    (ex.check_cache, cache),
]
WRONG = [
    (
        ex.check_merge,
        lambda t1, z1, y1, t2, z2, y2: (y1 + y2) / (z1 + z2),
        "same maximum",
    ),
    (ex.check_merge, mixed, "same factors"),
    (ex.check_merge, turned, "turned round"),
    (
        ex.check_merge,
        lambda t1, z1, y1, t2, z2, y2: (y1 / z1 + y2 / z2) / 2,
        "mean of the two",
    ),
    (ex.check_merge, undivided, "division by the joint sum"),
    (ex.check_merge, weighed_twice, "as they are"),
    (ex.check_layers, lambda N, w: math.ceil(N / (2 * w + 1)), "N - 1 places"),
    (ex.check_layers, lambda N, w: N // w, "Round up"),
    (ex.check_layers, lambda N, w: (N - 1) / w, "whole"),
    (ex.check_layers, lambda N, w: N - 1, "counts places"),
    (ex.check_layers, lambda N, w: math.ceil(N / (2 * w)), "the middle"),
    (ex.check_step, lambda S, z, q, k, v: q @ S / (q @ z), "before it writes"),
    (
        ex.check_step,
        lambda S, z, q, k, v: q @ (S + np.outer(k, v)) / (q @ z),
        "updated as well",
    ),
    (ex.check_step, lambda S, z, q, k, v: q @ (S + np.outer(k, v)), "division"),
    (
        ex.check_step,
        lambda S, z, q, k, v: q @ np.outer(k, v) / (q @ (z + k)),
        "overwrote",
    ),
    (
        ex.check_step,
        lambda S, z, q, k, v: q @ (S + np.outer(k, v)) / (q @ k),
        "key alone",
    ),
    (ex.check_features, lambda u, w, e: features(u, w, e) * e, "root of m"),
    (ex.check_features, lambda u, w, e: features(u, -w, e), "the sum decides"),
    (
        ex.check_features,
        lambda u, w, e: features(u, w, e) * np.exp(2 * u @ w),
        "Relative",
    ),
    (ex.check_features, lambda u, w, e: features(u, w, e) ** 0.5, "square root"),
    (ex.check_features, lambda u, w, e: features(u, w, e) + 1 / e**2, "Subtract 1"),
    (ex.check_cache, lambda L, H, d, N: 4 * L * H * d * N, "twice as much"),
    (ex.check_cache, lambda L, H, d, N: 2 * L * H * d * N, "4 bytes"),
    (ex.check_cache, lambda L, H, d, N: 8 * H * d * N, "Every layer"),
    (ex.check_cache, lambda L, H, d, N: 8 * L * d * N, "Every head"),
    (ex.check_cache, lambda L, H, d, N: 8 * L * H * d, "the last alone"),
    (ex.check_cache, lambda L, H, d, N: 8 * L * H * d * N * N, "N^2"),
    (ex.check_cache, lambda L, H, d, N: 99, "expected"),
]


test_right, test_wrong, test_open = exercise_tests(RIGHT, WRONG)
