"""Lecture 16b: lower bounds, encoders, recurrent priors."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
import math

import numpy as np
import torch
from torch import nn

from course_lib.errata.evidence import CONVENTION, decide, fresh, jacobian, numbers
from course_lib.errata.state_spaces import log_density, walk
from course_lib.models.state_space import condition, kalman_filter


# One latent number: p(z) = N(0, 1), p(x | z) = N(z, 1), so p(x) = N(0, 2).
def log_p(x: float) -> float:
    return -0.5 * (x**2 / 2 + math.log(4 * math.pi))


def reconstruction(x: float, m: float, v: float) -> float:
    """E_q log p(x | z) for q = N(m, v)."""
    return -0.5 * ((x - m) ** 2 + v + math.log(2 * math.pi))


def divergence(m: float, v: float) -> float:
    """KL[N(m, v) || N(0, 1)]."""
    return 0.5 * (m**2 + v - 1 - math.log(v))


def the_divergence_is_averaged_over_the_data() -> str:
    """E26: E_x[ rec(x) - KL(x) ]; with KL outside the bracket it is no bound."""
    data = [-2.0, -0.5, 0.0, 1.0, 3.0]
    rec = [reconstruction(x, x / 2, 0.5) for x in data]  # q: the exact posterior
    kl = [divergence(x / 2, 0.5) for x in data]
    truth = np.mean([log_p(x) for x in data])
    outside, inside = np.mean(rec) - kl[2], np.mean(np.subtract(rec, kl))
    assert outside > truth + 0.1  # larger than log p: not a lower bound
    return decide("mean of log p(x)", truth, outside, inside)


def best_q(x: float, beta: float) -> tuple[float, float]:
    """m and v that maximise rec - beta KL, found on a grid."""
    m, v = np.meshgrid(np.linspace(-3, 3, 601), np.linspace(0.005, 1.2, 600))
    value = -0.5 * ((x - m) ** 2 + v) - beta * 0.5 * (m**2 + v - 1 - np.log(v))
    best = np.unravel_index(value.argmax(), value.shape)
    return float(m[best]), float(v[best])


def beta_weighs_the_regulariser() -> str:
    """E27: a larger beta pulls q towards the prior; it regularises more, not less."""
    kl = [divergence(*best_q(1.5, beta)) for beta in (0.1, 1.0, 10.0)]
    trend = np.sign(np.diff(kl))
    settled = decide("trend of the KL", trend, [1, 1], [-1, -1], bound=0)
    return f"{settled}; for beta = 0.1, 1, 10: {kl[0]:.2f}, {kl[1]:.2f}, {kl[2]:.2f}"


def a_bound_needs_beta_of_at_least_one() -> str:
    """E49: rec - beta KL <= log p for beta >= 1; below 1 it can exceed log p."""
    x, betas = 1.5, (0.2, 1.0, 3.0)
    value = [reconstruction(x, x / 2, 0.5) - b * divergence(x / 2, 0.5) for b in betas]
    bounded = [v <= log_p(x) + 1e-12 for v in value]
    what = "a bound for beta = 0.2, 1, 3?"
    settled = decide(what, bounded, [True] * 3, [False, True, True], bound=0)
    return f"{settled}; at 0.2 it exceeds log p by {value[0] - log_p(x):.2f}"


def lower_bound(m: np.ndarray, S: np.ndarray, cov: np.ndarray, x: np.ndarray) -> float:
    """E_q[log p(x, z)] + entropy of q = N(m, S); p(z, x) = N(0, cov)."""
    d = len(m)
    at_mean = log_density(np.concatenate([m, x]), np.zeros(len(cov)), cov)
    precision = np.linalg.inv(cov)[:d, :d]
    entropy = 0.5 * np.linalg.slogdet(2 * math.pi * math.e * S)[1]
    return float(at_mean - 0.5 * np.trace(precision @ S) + entropy)


def a_filtering_encoder_leaves_a_gap() -> str:
    """E50: q(z_t | x_<=t), step by step, cannot be tight; smoothing with memory can."""
    model, steps = walk(), 5
    x = model.sample(1, steps, np.random.default_rng(1))[1]
    mean, cov = model.joint(steps)
    seen = slice(steps, 2 * steps)
    log_evidence = log_density(x[0, :, 0], mean[seen], cov[seen, seen])
    filtered = kalman_filter(model, x)
    step_by_step = lower_bound(
        filtered.m[0, :, 0], np.diag(filtered.P[:, 0, 0]), cov, x[0, :, 0]
    )
    smoothed = lower_bound(*condition(mean, cov, seen, x[0, :, 0]), cov, x[0, :, 0])
    return decide("bound against log p(x)", log_evidence, step_by_step, smoothed)


def encoder_and_model_have_their_own_parameters() -> str:
    """E69: the latent is z_t, the encoder q_phi: turning phi leaves log p_theta alone.

    For every phi the bound and KL[q_phi || posterior] add up to log p_theta(x).
    """
    x, phi = 1.5, 1.5  # q = N(phi x, 1/2); the best phi is 1/2

    def log_evidence(theta: float) -> float:
        """p(x | z) = N(theta z, 1), so p(x) = N(0, theta^2 + 1)"""
        v = theta**2 + 1
        return -0.5 * (x**2 / v + math.log(2 * math.pi * v))

    bound = reconstruction(x, phi * x, 0.5) - divergence(phi * x, 0.5)
    to_posterior = (phi * x - x / 2) ** 2  # KL of two Gaussians of variance 1/2
    assert bound < log_evidence(1.0) - 1
    shared = log_evidence(1.0 + phi - 0.5)  # theta turned along with the encoder
    return decide("log p(x)", log_evidence(1.0), shared, bound + to_posterior)


def a_recurrent_prior_contains_the_markov_one() -> str:
    """E91: p(z_t | z_<t) by an LSTM looks further back; with its memory cut, not."""
    lstm, z = fresh(lambda: nn.LSTM(2, 5)), numbers(5, 6, 2)
    lag_two = lambda m: jacobian(lambda rows: m(rows)[0][-1], z)[:, -3]
    cut = fresh(lambda: nn.LSTM(2, 5))
    with torch.no_grad():
        _, W_hh, b_ih, _ = cut.parameters()
        W_hh.zero_()
        b_ih[5:10] = -1000.0  # torch's second block: forget everything
    what, markov, words = "influence two steps back", torch.zeros(5, 2), CONVENTION
    far, near = lag_two(lstm), lag_two(cut)
    return decide(what, markov, far, near, at_least=1e-3, names=words)
