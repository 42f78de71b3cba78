"""Exercise checks of 00 and 02: right answers pass, named mistakes are named."""

import numpy as np
from exercise_cases import exercise_tests

from course_lib.exercises import simple_rnn as rnn
from course_lib.exercises import start_here


def count(d_x, d_h, d_y):
    return d_h**2 + d_h * d_x + d_h + d_y * d_h + d_y


def relu_jacobian(W_h, a):
    return np.diag((a > 0) * 1.0) @ W_h


def back(g, h, direct, W_h):
    return direct + (g * (1 - h * h)) @ W_h


def pairs(T, K):
    return sum(1 for t in range(1, T + 1) for tau in range(1, t + 1) if t - tau <= K)


RIGHT = [
    (
        start_here.check_average_over_time,
        lambda x: np.einsum("btd->bd", x) / x.shape[1],
    ),
    (rnn.check_parameter_count, count),
    (rnn.check_relu_jacobian, relu_jacobian),
    (rnn.check_backward_step, back),
    (rnn.check_kept_pairs, pairs),
]
WRONG = [
    (start_here.check_average_over_time, lambda x: x.mean(0), "over the batch"),
    (start_here.check_average_over_time, lambda x: x.mean(2), "over the features"),
    (start_here.check_average_over_time, lambda x: x.mean(), "over everything"),
    (rnn.check_parameter_count, lambda x, h, y: h * h + h * x + h, "read-out"),
    (rnn.check_parameter_count, lambda x, h, y: h * h + h * x + y * h, "biases are"),
    (rnn.check_parameter_count, lambda x, h, y: count(x, h, y) + h, "two biases"),
    (rnn.check_parameter_count, lambda x, h, y: 99999, "expected"),
    (rnn.check_relu_jacobian, lambda W, a: W * (a > 0), "columns"),
    (rnn.check_relu_jacobian, lambda W, a: relu_jacobian(W, a).T, "transpose"),
    (rnn.check_relu_jacobian, lambda W, a: (1 - np.tanh(a) ** 2)[:, None] * W, "tanh"),
    (rnn.check_relu_jacobian, lambda W, a: np.maximum(a, 0)[:, None] * W, "slope"),
    (rnn.check_relu_jacobian, lambda W, a: W[:2], "shape (2, 5)"),
    (rnn.check_backward_step, lambda g, h, d, W: back(g, h, 0, W), "direct effect"),
    (rnn.check_backward_step, lambda g, h, d, W: back(g, h, d, W.T), "left to right"),
    (rnn.check_backward_step, lambda g, h, d, W: d + g @ W, "slope of the tanh"),
    (
        rnn.check_backward_step,
        lambda g, h, d, W: d + (g @ W) * (1 - h * h),
        "before W_h",
    ),
    (rnn.check_backward_step, lambda g, h, d, W: back(g, np.tanh(h), d, W), "already"),
    (rnn.check_kept_pairs, lambda T, K: pairs(T, K - 1), "K + 1 terms"),
    (rnn.check_kept_pairs, lambda T, K: T * (K + 1), "first K steps"),
    (rnn.check_kept_pairs, lambda T, K: pairs(T, T), "without truncation"),
]


test_right, test_wrong, test_open = exercise_tests(RIGHT, WRONG)
