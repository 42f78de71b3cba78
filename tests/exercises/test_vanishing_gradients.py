"""Exercises of lecture 03: other right answers pass, mistakes are named."""

import numpy as np
import torch
from exercise_cases import variants

from course_lib.exercises.vanishing_gradients import EXERCISES, solved


def by_logarithms(w, slopes):
    return np.exp(np.mean(np.log(np.abs(w) * np.asarray(slopes))))


def by_counting(factor, share):
    steps, size = 0, 1.0
    while size >= share:
        size, steps = size * factor, steps + 1
    return steps


def by_svd(W_h, h):
    product, norms = torch.eye(len(W_h), dtype=torch.float64), [1.0]
    for h_t in reversed(h):
        J_t = torch.diag(torch.tensor(1 - h_t**2)) @ torch.tensor(W_h)
        product = product @ J_t
        norms.append(torch.linalg.svdvals(product)[0].item())
    return norms


def product_of_the_norms(W_h, h):
    norms = [1.0]
    for h_t in h[::-1]:
        norms.append(norms[-1] * np.linalg.svd(np.diag(1 - h_t**2) @ W_h)[1][0])
    return norms


def factors_from_the_left(W_h, h):
    product, norms = np.eye(len(W_h)), [1.0]
    for h_t in h[::-1]:
        product = np.diag(1 - h_t**2) @ W_h @ product
        norms.append(np.linalg.norm(product, 2))
    return norms


def by_torch(gradients, g_max):
    weights = [torch.nn.Parameter(torch.zeros(g.shape).double()) for g in gradients]
    for weight, g in zip(weights, gradients, strict=True):
        weight.grad = torch.tensor(g)
    torch.nn.utils.clip_grad_norm_(weights, g_max)
    return [weight.grad.numpy() for weight in weights]


def by_autograd(W_x, h_prev, x_t):
    entering = torch.tensor(W_x @ x_t)
    step = lambda h: torch.relu(h + entering)  # noqa: E731
    return torch.autograd.functional.jacobian(step, torch.tensor(h_prev)).numpy()


def by_the_sum_of_lengths(gradients, g_max):
    length = sum(np.linalg.norm(g) for g in gradients)
    return [g * min(1, g_max / length) for g in gradients]


def by_the_square(gradients, g_max):
    square = sum((g**2).sum() for g in gradients)
    return [g * min(1, g_max / square) for g in gradients]


RIGHT = [
    (1, by_logarithms),
    (2, by_counting),
    (3, by_svd),
    (4, by_torch),
    (5, by_autograd),
]
WRONG = [
    (1, lambda w, slopes: w * np.prod(slopes) ** (1 / len(slopes)), "sign"),
    (1, lambda w, slopes: abs(w) * np.mean(slopes), "arithmetic"),
    (1, lambda w, slopes: np.prod(w * slopes) ** (1 / len(slopes)), "no real root"),
    (1, lambda w, slopes: max(abs(w * slopes)), "the largest step"),
    (1, lambda w, slopes: 1.0, "expected"),
    (2, lambda f, s: int(np.ceil(np.log(s) / np.log(f))), "one more step"),
    (2, lambda f, s: int(np.log(s) / np.log(f) + 0.5), "nearest number"),
    (2, lambda f, s: int(np.ceil(np.log(s / f))), "divides two logarithms"),
    (2, lambda f, s: 44, "expected"),
    (3, lambda W, h: np.array(by_svd(W, h))[::-1], "k = 0 comes first"),
    (3, lambda W, h: by_svd(W, np.zeros_like(h)), "has its slopes, too"),
    (3, lambda W, h: by_svd(W, np.tanh(h)), "tanh values already"),
    (3, lambda W, h: np.arange(len(h) + 1.0), "expected"),
    (3, lambda W, h: np.linalg.norm(W, 2) ** np.arange(len(h) + 1), "the bound (6)"),
    (3, lambda W, h: by_svd(W, h[::-1]), "the latest step comes first"),
    (3, product_of_the_norms, "which gives a bound"),
    (3, factors_from_the_left, "stands on the right"),
    (4, lambda g, m: [x * min(1, m / np.linalg.norm(x)) for x in g], "own norm"),
    (4, lambda g, m: [np.clip(x, -m, m) for x in g], "entry by entry"),
    (4, by_the_sum_of_lengths, "Lengths do not add up"),
    (4, by_the_square, "root is missing"),
    (4, lambda g, m: np.hstack([x.ravel() for x in by_torch(g, m)]), "a list is"),
    (5, lambda W_x, h, x: np.diag((W_x @ x > 0) * 1.0), "old state is missing"),
    (5, lambda W_x, h, x: (h + W_x @ x > 0) * 1.0, "is a matrix"),
    (5, lambda W_x, h, x: np.diag(np.cosh(h + W_x @ x) ** -2), "slope of tanh"),
    (5, lambda W_x, h, x: np.diag((h + W_x @ x > 0) * 1.0) @ W_x, "by x_t"),
    (5, lambda W_x, h, x: np.diag((h > 0) * 1.0), "expected"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_open_exercise_counts_networks_and_a_far_too_small_start_solves_none():
    assert solved(0.3, networks=2, seed=0, length=20) == 0
    assert solved(1.0, networks=2, seed=0, length=4) == 2
