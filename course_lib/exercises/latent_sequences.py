"""Exercises of lecture 16b, latent sequences."""

import math

import numpy as np
from numpy.random import Generator

from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.models.state_space import LinearGaussian, condition

Pair = tuple[float, float]


def kl_to_prior(mu: np.ndarray, log_sigma: np.ndarray) -> float:
    """(3) with the prior's mean 0 and variance 1, summed over the coordinates."""
    s = np.exp(2 * log_sigma)
    return float(np.sum(0.5 * (s + mu**2 - 1) - log_sigma))


def means_and_logs(rng: Generator) -> tuple:
    d = int(rng.integers(2, 5))
    return rng.normal(0, 1, d).round(1), rng.normal(-0.3, 0.7, d).round(1)


def kl_entries(mu: np.ndarray, log_sigma: np.ndarray) -> np.ndarray:
    return 0.5 * (np.exp(2 * log_sigma) + mu**2 - 1) - log_sigma


KL_MISTAKES = {
    "One number is asked for: sum over the entries.": kl_entries,
    "The entries add up; you took their mean.": (
        lambda mu, log_sigma: kl_entries(mu, log_sigma).mean()
    ),
    "(3) has variances: sigma² = exp(2 log sigma).": (
        lambda mu, log_sigma: np.sum(0.5 * (np.exp(log_sigma) + mu**2 - 1) - log_sigma)
    ),
    "log_sigma is the logarithm of sigma, not of the variance.": (
        lambda mu, log_sigma: kl_to_prior(mu, log_sigma / 2)
    ),
    "log(v / s) is -2 log sigma, so half of it is -log sigma.": (
        lambda mu, log_sigma: (
            0.5 * np.sum(np.exp(2 * log_sigma) + mu**2 - 1 - log_sigma)
        )
    ),
    "That is KL[p || q], the other way round.": (
        lambda mu, log_sigma: np.sum(
            log_sigma + (1 + mu**2) / (2 * np.exp(2 * log_sigma)) - 0.5
        )
    ),
    "The sign: that is minus the divergence, which can never be negative.": (
        lambda mu, log_sigma: -kl_to_prior(mu, log_sigma)
    ),
    "The factor 1/2 is missing.": (
        lambda mu, log_sigma: 2 * kl_to_prior(mu, log_sigma)
    ),
    "The -1 is missing: for q = p the divergence must be 0.": (
        lambda mu, log_sigma: kl_to_prior(mu, log_sigma) + len(mu) / 2
    ),
}


def kl(m: float, s: float, mu: float, v: float) -> float:
    """(3); s and v are variances."""
    return 0.5 * (math.log(v / s) + (s + (m - mu) ** 2) / v - 1)


def bound_and_gap(x: float, m: float, s: float) -> Pair:
    """z ~ N(0, 1), x = z + noise of variance 1, q = N(m, s)."""
    reconstruction = -0.5 * math.log(2 * math.pi) - 0.5 * ((x - m) ** 2 + s)
    return reconstruction - kl(m, s, 0, 1), kl(m, s, x / 2, 0.5)


def one_q(rng: Generator) -> tuple:
    x, m = rng.normal(0, 1.5, 2).round(1)
    return float(x), float(m), float(rng.choice([0.2, 0.4, 0.8, 1.5]))


def reconstruction_at_the_mean(x: float, m: float, s: float) -> float:
    return -0.5 * math.log(2 * math.pi) - 0.5 * (x - m) ** 2


BOUND_MISTAKES = {
    "E_q (x - z)² is (x - m)² + s: the variance of q is missing.": lambda x, m, s: (
        reconstruction_at_the_mean(x, m, s) - kl(m, s, 0, 1),
        kl(m, s, x / 2, 0.5),
    ),
    "The gap is right; in the bound the Gaussian's constant, -1/2 log 2 pi, is "
    "missing.": lambda x, m, s: (
        bound_and_gap(x, m, s)[0] + 0.5 * math.log(2 * math.pi),
        kl(m, s, x / 2, 0.5),
    ),
    "The bound is right; the second number is log p(x), and the gap is what the bound "
    "lacks to it.": lambda x, m, s: (
        bound_and_gap(x, m, s)[0],
        sum(bound_and_gap(x, m, s)),
    ),
    "s is the variance already: do not square it.": (
        lambda x, m, s: bound_and_gap(x, m, s * s)
    ),
    "The bound has the divergence to the prior, the gap the one to the posterior; you "
    "exchanged them.": lambda x, m, s: (
        bound_and_gap(x, m, s)[0] + kl(m, s, 0, 1) - kl(m, s, x / 2, 0.5),
        kl(m, s, 0, 1),
    ),
    "The bound is right. The gap is the divergence to the posterior N(x/2, 1/2), not "
    "to the prior.": lambda x, m, s: (bound_and_gap(x, m, s)[0], kl(m, s, 0, 1)),
    "The bound is right. The posterior has variance 1/2, not 1.": lambda x, m, s: (
        bound_and_gap(x, m, s)[0],
        kl(m, s, x / 2, 1),
    ),
    "The bound is right; in the gap q comes first: KL[q || posterior].": (
        lambda x, m, s: (bound_and_gap(x, m, s)[0], kl(x / 2, 0.5, m, s))
    ),
    "The divergence is taken away from the reconstruction, not added.": (
        lambda x, m, s: (
            bound_and_gap(x, m, s)[0] + 2 * kl(m, s, 0, 1),
            kl(m, s, x / 2, 0.5),
        )
    ),
}


def best_variances(cov: np.ndarray) -> np.ndarray:
    """The inverse of the diagonal of the inverse."""
    return 1 / np.diag(np.linalg.inv(cov))


def covariances(rng: Generator) -> tuple:
    root = rng.normal(0, 1, (3, 3))
    return ((root @ root.T + 0.3 * np.eye(3)).round(2),)


VARIANCE_MISTAKES = {
    "Those are the marginal variances; the best product is narrower.": np.diag,
    "Invert the whole matrix first, then take its diagonal.": (
        lambda cov: 1 / np.diag(cov)
    ),
    "That is the diagonal of the precision; a variance is its inverse.": (
        lambda cov: np.diag(np.linalg.inv(cov))
    ),
    "Those are standard deviations; variances are asked for.": (
        lambda cov: best_variances(cov) ** 0.5
    ),
    "Those are the variances along the axes of the ellipse, not of the entries.": (
        np.linalg.eigvalsh
    ),
}


def weighted_bound(log_w: np.ndarray) -> float:
    """log of the average weight, with the largest one taken out."""
    largest = log_w.max()
    return float(largest + np.log(np.mean(np.exp(log_w - largest))))


def log_weights(rng: Generator) -> tuple:
    """So far down that exp would give 0."""
    return (rng.normal(-1000, 3, int(rng.integers(3, 7))).round(1),)


def naive(log_w: np.ndarray) -> float:
    with np.errstate(divide="ignore"):
        return float(np.log(np.mean(np.exp(log_w))))


WEIGHT_MISTAKES = {
    "exp(-1000) is 0 for the computer: take the largest log weight out first.": naive,
    "That is the mean of the logarithms, the plain bound; here the logarithm of the "
    "mean is asked for.": lambda log_w: log_w.mean(),
    "That is the log of the sum; divide by the number of draws.": (
        lambda log_w: weighted_bound(log_w) + math.log(len(log_w))
    ),
    "That is the largest weight alone.": lambda log_w: log_w.max(),
    "The other weights are smaller, but not 0: they belong to the sum.": (
        lambda log_w: log_w.max() - math.log(len(log_w))
    ),
    "The largest log weight that was taken out has to be put back.": (
        lambda log_w: weighted_bound(log_w) - log_w.max()
    ),
}


def gap_of_independence(gusts: float, sees: np.ndarray, steps: int = 40) -> float:
    """The gap of the best independent q for a swing, in nats; no data are needed.

    With Lambda the precision of the posterior, it is half of the sum of
    log det Lambda_tt over the steps minus log det Lambda. sees is C, (d_x, 2).
    """
    cos, sin = math.cos(0.35), math.sin(0.35)
    model = LinearGaussian(
        A=0.98 * np.array([[cos, sin], [-sin, cos]]),
        B=gusts * np.eye(2),
        C=sees,
        D=0.5 * np.eye(len(sees)),
        m_1=np.zeros(2),
        P_1=np.eye(2),
    )
    mean, cov = model.joint(steps)
    seen = slice(2 * steps, None)
    _, posterior = condition(mean, cov, seen, np.zeros(steps * len(sees)))
    precision = np.linalg.inv(posterior)
    blocks = precision.reshape(steps, 2, steps, 2)[range(steps), :, range(steps)]
    apart = np.linalg.slogdet(blocks)[1].sum()
    return float(0.5 * (apart - np.linalg.slogdet(precision)[1]))


def when_is_independence_cheap(gusts=(0.05, 0.15, 0.5, 1.5, 5.0)) -> dict:
    """The size of the gusts is changed; once the position is seen, once the speed too.

    Found, in nats for 40 steps:
    gusts         0.05   0.15   0.5    1.5    5
    position      26.8   21.3   12.3   8.3    7.8
    both          25.4   18.0   5.3    0.3    0.0
    The gap does not depend on the data, as the best q has the right means. Weak gusts
    tie the steps together, strong ones cut them apart. But where the speed is never
    seen a floor remains, however strong the gusts: what is known of it comes from the
    neighbours. With both seen, each step speaks for itself, and the gap goes to 0.
    """
    position, both = np.array([[1.0, 0.0]]), np.eye(2)
    return {
        size: [gap_of_independence(size, sees) for sees in (position, both)]
        for size in gusts
    }


EXERCISES = Exercises(
    "latent_sequences",
    Exercise(1, "*", kl_to_prior, means_and_logs, KL_MISTAKES),
    Exercise(2, "*", bound_and_gap, one_q, BOUND_MISTAKES, helpers=(kl,)),
    Exercise(3, "**", best_variances, covariances, VARIANCE_MISTAKES),
    Exercise(4, "***", when_is_independence_cheap, helpers=(gap_of_independence,)),
    Exercise(5, "**", weighted_bound, log_weights, WEIGHT_MISTAKES),
)
check, solution = EXERCISES.check, EXERCISES.solution
