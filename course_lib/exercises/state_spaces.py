"""Exercises of lecture 16, latent sequences."""

from collections.abc import Callable

import numpy as np

from course_lib.exercises.verdict import judge


def check_posterior(answer: Callable) -> None:
    """z ~ N(0, 1), x_i = z + noise of variance 1: (sum x / (n + 1), 1 / (n + 1))"""
    x = np.array([1.5, 0.3, -0.4, 2.2, 0.9])
    n = len(x)
    right = (x.sum() / (n + 1), 1 / (n + 1))
    mistakes = {
        "That is the average of the data; the prior counts like one more "
        "observation, of value 0.": (x.mean(), 1 / n),
        "The mean is right. The precisions add: 1 from the prior and 1 from each "
        "observation.": (right[0], 1 / n),
        "The variance is right, the mean forgets the prior.": (x.mean(), right[1]),
        "You return the standard deviation; the variance is asked for.": (
            right[0],
            right[1] ** 0.5,
        ),
    }
    judge("Exercise 1", answer, (x,), right, mistakes)


def check_update(answer: Callable) -> None:
    """S = C² P + R, K = P C / S, m + K (x - C m), P - K C P"""
    m, P, x, C, R = 0.4, 1.5, 2.0, 3.0, 0.7
    S = C * P * C + R
    K = P * C / S
    right = (m + K * (x - C * m), P - K * C * P)
    mistakes = {
        "The surprise is x - C m, not x - m: compare like with like.": (
            m + K * (x - m),
            right[1],
        ),
        "The gain is P C / S; the C is missing.": (
            m + P / S * (x - C * m),
            P - P / S * C * P,
        ),
        "In S the covariance is multiplied by C on both sides.": (
            m + P * C / (C * P + R) * (x - C * m),
            P - P * C / (C * P + R) * C * P,
        ),
        "The mean is right; the new variance is P - K C P.": (right[0], P - K * P),
        "Seeing something cannot make you less certain: the sign of K C P.": (
            right[0],
            P + K * C * P,
        ),
    }
    judge("Exercise 2", answer, (m, P, x, C, R), right, mistakes)


def check_forward_step(answer: Callable) -> None:
    """((belief A) B[:, symbol]) normalised"""
    rng = np.random.default_rng(4)
    belief = np.array([0.6, 0.3, 0.1])
    A, B = rng.dirichlet(np.ones(3), 3), rng.dirichlet(np.ones(5), 3)
    symbol = 4
    joint = (belief @ A) * B[:, symbol]
    other = (A @ belief) * B[:, symbol]
    still = belief * B[:, symbol]
    after = still @ A
    mistakes = {
        "Not normalised yet: divide by the sum, which is p(x_t | x_<t).": joint,
        "A_ij goes from i to j, so the belief stands on the left: belief @ A.": (
            other / other.sum()
        ),
        "The state has not moved: predict with A first.": still / still.sum(),
        "You updated first and moved after; here the move comes first.": (
            after / after.sum()
        ),
        "That is the prediction; what was seen has not been used.": belief @ A,
    }
    arguments = (belief, A, B, symbol)
    judge("Exercise 3", answer, arguments, joint / joint.sum(), mistakes)


def check_kl(answer: Callable) -> None:
    """sum of (sigma² + mu² - 1) / 2 - log sigma"""
    mu, log_sigma = np.array([0.7, -1.2, 0.1]), np.array([-0.5, 0.2, -1.5])
    s = np.exp(2 * log_sigma)
    each = 0.5 * (s + mu**2 - 1) - log_sigma
    sigma = np.exp(log_sigma)
    reverse = log_sigma + (1 + mu**2) / (2 * s) - 0.5
    mistakes = {
        "One number is asked for: sum over the entries.": each,
        "The entries add up; you took their mean.": each.mean(),
        "(14) has variances: sigma² = exp(2 log sigma).": (
            0.5 * (sigma + mu**2 - 1) - log_sigma
        ).sum(),
        "log(v / s) is -2 log sigma, so half of it is -log sigma.": (
            0.5 * (s + mu**2 - 1 - log_sigma)
        ).sum(),
        "That is KL[p || q], the other way round.": reverse.sum(),
        "The sign: that is minus the divergence, which can never be negative.": (
            -each.sum()
        ),
    }
    judge("Exercise 4", answer, (mu, log_sigma), each.sum(), mistakes)


def check_best_variances(answer: Callable) -> None:
    """1 / diag(inverse of the covariance)"""
    cov = np.array([[2.0, 0.9, 0.2], [0.9, 1.0, -0.3], [0.2, -0.3, 0.5]])
    precision = np.linalg.inv(cov)
    mistakes = {
        "Those are the marginal variances; the best product is narrower.": np.diag(cov),
        "Invert the whole matrix first, then take its diagonal.": 1 / np.diag(cov),
        "That is the diagonal of the precision; a variance is its inverse.": np.diag(
            precision
        ),
    }
    judge("Exercise 5", answer, (cov,), 1 / np.diag(precision), mistakes)
