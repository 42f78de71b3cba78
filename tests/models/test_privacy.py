"""Exposure against sorting; privacy accounting against numerical integration."""

import math

import numpy as np
import pytest
import torch

from course_lib.models import privacy as mem


def test_rank_and_exposure_by_hand():
    scores = np.array([-3.0, -1.0, -4.0, -2.0, -9.0, -7.0, -8.0, -5.0])
    assert [mem.rank(scores, k) for k in range(8)] == [3, 1, 4, 2, 8, 6, 7, 5]
    assert mem.exposure(scores, 1) == 3
    assert mem.exposure(scores, 3) == 2
    assert mem.exposure(scores, 4) == 0


def test_ranks_without_ties_are_those_of_sorting():
    scores = np.random.default_rng(0).standard_normal(101)
    order = np.argsort(-scores)
    assert [mem.rank(scores, k) for k in order] == list(range(1, 102))


def test_a_tie_counts_half_and_a_constant_model_exposes_nothing():
    assert mem.rank([5.0, 1.0, 1.0, 1.0, 0.0], 2) == 1 + 1 + 2 / 2
    constant = np.zeros(1001)
    assert mem.rank(constant, 13) == 501
    assert mem.exposure(constant, 13) < 1


@pytest.mark.parametrize("n", [1, 2, 7, 101, 10_000])
def test_chance_is_the_mean_over_all_secrets(n):
    scores = np.random.default_rng(n).standard_normal(n)
    every = [mem.exposure(scores, k) for k in range(min(n, 101))]
    if n <= 101:
        assert mem.chance_exposure(n) == pytest.approx(np.mean(every))
    direct = math.log2(n) - np.log2(np.arange(1, n + 1)).mean()
    assert mem.chance_exposure(n) == pytest.approx(direct, abs=1e-9)


def test_chance_tends_to_one_over_ln_2():
    assert mem.chance_exposure(10**9) == pytest.approx(1 / math.log(2), abs=1e-6)


def normal(z, mean, sigma):
    return np.exp(-((z - mean) ** 2) / (2 * sigma**2)) / math.sqrt(2 * math.pi) / sigma


def integrated(q, sigma, order, forwards=True):
    """The definition, summed over a fine grid."""
    z = np.linspace(-30 * sigma, 30 * sigma + order, 400_001)
    without = normal(z, 0, sigma)
    with_it = (1 - q) * without + q * normal(z, 1, sigma)
    P, Q = (with_it, without) if forwards else (without, with_it)
    seen = Q > 1e-290
    power = np.exp(order * np.log(P[seen]) + (1 - order) * np.log(Q[seen]))
    return math.log(np.trapezoid(power, z[seen])) / (order - 1)


CASES = [(0.1, 1.0, 2), (0.1, 1.0, 5), (0.3, 2.0, 7), (0.06, 0.8, 3), (0.9, 4.0, 13)]


@pytest.mark.parametrize(("q", "sigma", "order"), CASES)
def test_one_step_is_the_integral_of_the_definition(q, sigma, order):
    formula = mem.renyi_step(q, sigma, order)
    assert formula == pytest.approx(integrated(q, sigma, order), rel=1e-6)
    assert integrated(q, sigma, order, forwards=False) <= formula


@pytest.mark.parametrize("order", [2, 7, 64, 512])
@pytest.mark.parametrize("sigma", [0.5, 1.0, 7.0])
def test_limits(sigma, order):
    assert mem.renyi_step(1, sigma, order) == pytest.approx(order / (2 * sigma**2))
    assert mem.renyi_step(0, sigma, order) == 0
    assert mem.renyi_step(0.3, 0, order) == math.inf
    assert mem.renyi_step(0.3, sigma, order) < mem.renyi_step(1, sigma, order)


def test_epsilon_moves_the_right_way():
    base = mem.epsilon(0.06, 1.0, 200, 1e-4)
    assert mem.epsilon(0.06, 2.0, 200, 1e-4) < base
    assert mem.epsilon(0.03, 1.0, 200, 1e-4) < base
    assert mem.epsilon(0.06, 1.0, 400, 1e-4) > base
    assert mem.epsilon(0.06, 1.0, 200, 1e-6) > base
    assert mem.epsilon(0.06, 0, 200, 1e-4) == math.inf
    assert mem.epsilon(0.06, 1.0, 0, 1e-4) == mem.epsilon(0, 1.0, 200, 1e-4) == 0


def gaussian_delta(eps, mu):
    """Exact: noise 1, shift mu (Balle and Wang, 2018)."""
    x = torch.tensor([mu / 2 - eps / mu, -mu / 2 - eps / mu], dtype=torch.float64)
    first, second = torch.special.ndtr(x).tolist()
    return first - math.exp(eps) * second


@pytest.mark.parametrize(("sigma", "steps"), [(5.0, 1), (20.0, 101), (3.0, 7)])
def test_without_sampling_epsilon_holds_and_is_not_far_from_exact(sigma, steps):
    delta, mu = 1e-5, math.sqrt(steps) / sigma  # steps of noise sigma add up to one
    eps = mem.epsilon(1, sigma, steps, delta)
    assert gaussian_delta(eps, mu) <= delta
    assert gaussian_delta(0.7 * eps, mu) > delta


def composed_delta(q, sigma, steps, eps):
    """P(loss > eps) - e^eps Q(loss > eps) after all steps, by convolution.

    The privacy loss ln(P/Q) of one step is put on a grid, rounded up; the losses of
    independent steps add, so their distributions are convolved.
    """
    z = np.linspace(-12 * sigma, 12 * sigma + 1, 200_001)
    without = normal(z, 0, sigma)
    with_it = (1 - q) * without + q * normal(z, 1, sigma)
    loss = np.log(with_it / without)
    width, size = 1e-3, 2**17
    place = np.ceil(loss / width).astype(int) + size // 2
    mass = np.bincount(place, with_it * (z[1] - z[0]), size)
    shifted = np.fft.rfft(np.roll(mass, -size // 2))  # loss 0 at place 0
    total = np.fft.irfft(shifted**steps, size)
    losses = np.fft.fftfreq(size, 1 / size) * width
    above = losses > eps
    return (total[above] * (1 - np.exp(eps - losses[above]))).sum()


@pytest.mark.parametrize("sigma", [1.0, 2.0, 4.0])
def test_with_sampling_epsilon_holds_after_many_steps(sigma):
    q, steps, delta = 0.06, 200, 1e-4
    eps = mem.epsilon(q, sigma, steps, delta)
    assert composed_delta(q, sigma, steps, eps) <= delta
    assert composed_delta(q, sigma, steps, 0.6 * eps) > delta  # not far from exact


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mem.rank(np.zeros((2, 3)), 0), r"shape \(2, 3\)"),
        (lambda: mem.rank(np.zeros(3), 3), "expected 0 to 2"),
        (lambda: mem.rank(np.array([0.0, np.nan]), 0), "1 scores are nan"),
        (lambda: mem.chance_exposure(0), "at least one"),
        (lambda: mem.renyi_step(1.5, 1, 2), "q = 1.5 must be a probability"),
        (lambda: mem.renyi_step(0.5, -1, 2), "sigma = -1"),
        (lambda: mem.renyi_step(0.5, 1, 1), "whole orders"),
        (lambda: mem.renyi_step(0.5, 1, 2.5), "whole orders"),
        (lambda: mem.epsilon(0.1, 1, 10, 0), "delta 0 must lie between"),
        (lambda: mem.epsilon(0.1, 1, -1, 0.1), "steps -1"),
    ],
)
def test_input_without_meaning_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
