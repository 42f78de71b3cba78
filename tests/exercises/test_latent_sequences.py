"""Exercises of lecture 16b: other right answers pass, mistakes are named."""

import numpy as np
import pytest
import torch
from exercise_cases import variants
from torch.distributions import Independent, MultivariateNormal, Normal, kl_divergence

from course_lib.exercises.latent_sequences import EXERCISES, when_is_independence_cheap


def kl_by_torch(mu, log_sigma):
    """The outside truth."""
    q = Independent(Normal(torch.tensor(mu), torch.tensor(log_sigma).exp()), 1)
    zero = torch.zeros(len(mu), dtype=torch.float64)
    return kl_divergence(q, Independent(Normal(zero, zero + 1), 1)).item()


def bound_by_draws(x, m, s):
    """The bound as log p(x) minus the gap, both by torch."""
    q, posterior = Normal(m, s**0.5), Normal(x / 2, 0.5**0.5)
    gap = kl_divergence(q, posterior).item()
    return Normal(0.0, 2**0.5).log_prob(torch.tensor(x)).item() - gap, gap


def wide_bound(x, m, s):
    """s taken for the standard deviation."""
    return bound_by_draws(x, m, s**2)


def to_the_prior(x, m, s):
    return bound_by_draws(x, m, s)[0], kl_divergence(Normal(m, s**0.5), Normal(0, 1))


def given_the_others(cov):
    """The variance of each entry once all the others are known: another way."""
    n = len(cov)
    found = []
    for i in range(n):
        rest = [k for k in range(n) if k != i]
        explained = cov[i, rest] @ np.linalg.solve(
            cov[np.ix_(rest, rest)], cov[rest, i]
        )
        found.append(cov[i, i] - explained)
    return np.array(found)


def no_better_nearby(cov):
    """By torch: the divergence grows wherever one goes from here."""
    p = MultivariateNormal(torch.zeros(len(cov)).double(), torch.tensor(cov))
    gap = lambda s: kl_divergence(  # noqa: E731
        MultivariateNormal(p.loc, torch.diag(torch.tensor(s))), p
    ).item()
    best = given_the_others(cov)
    for step in 1e-3 * np.array([*np.eye(len(cov)), *-np.eye(len(cov))]):
        assert gap(best * (1 + step)) > gap(best)
    return best


RIGHT = [
    (1, kl_by_torch),
    (2, bound_by_draws),
    (3, given_the_others),
    (3, no_better_nearby),
    (5, lambda log_w: (np.logaddexp.reduce(log_w) - np.log(len(log_w))).item()),
    (5, lambda log_w: torch.tensor(log_w).logsumexp(0).item() - np.log(len(log_w))),
]
WRONG = [
    (1, lambda mu, ls: kl_by_torch(mu, ls / 2), "not of the variance"),
    (1, lambda mu, ls: np.sum(0.5 * (np.exp(ls) + mu**2 - 1) - ls), "variances"),
    (1, lambda mu, ls: -kl_by_torch(mu, ls), "never be negative"),
    (1, lambda mu, ls: kl_by_torch(mu, ls) / len(mu), "took their mean"),
    (1, lambda mu, ls: 2 * kl_by_torch(mu, ls), "factor 1/2"),
    (1, lambda mu, ls: kl_by_torch(mu, ls) + 0.5 * len(mu), "-1 is missing"),
    (2, wide_bound, "do not square"),
    (2, to_the_prior, "not to the prior"),
    (3, np.diag, "marginal variances"),
    (3, lambda cov: np.diag(np.linalg.inv(cov)), "its inverse"),
    (3, lambda cov: 1 / np.diag(cov), "whole matrix first"),
    (3, lambda cov: given_the_others(cov) ** 0.5, "standard deviations"),
    (5, lambda log_w: max(log_w) - np.log(log_w.size), "belong to the sum"),
    (5, lambda log_w: np.mean(log_w), "mean of the logarithms"),
    (5, lambda log_w: np.logaddexp.reduce(log_w), "number of draws"),
    (5, lambda log_w: max(log_w), "largest weight alone"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_open_exercise_finds_what_its_text_says():
    found = when_is_independence_cheap()
    position, both = zip(*found.values(), strict=True)
    assert position[1] == pytest.approx(21.27, abs=0.01)  # the lecture's own gap
    assert list(position) == sorted(position, reverse=True)
    assert position[-1] > 7
    assert both[-1] < 0.01
