"""Lecture 16: state-space models, exactly."""

import math

import numpy as np

from course_lib.errata.evidence import decide, numbers
from course_lib.models.state_space import LinearGaussian, kalman_filter, log_gaussian


def walk() -> LinearGaussian:
    """A latent number that drifts, seen through noise."""
    one = np.ones((1, 1))
    return LinearGaussian(
        A=0.9 * one, B=0.6 * one, C=one, D=0.5 * one, m_1=np.zeros(1), P_1=one
    )


def log_density(point: np.ndarray, mean: np.ndarray, cov: np.ndarray) -> float:
    """log N(point; mean, cov) of a single point."""
    return log_gaussian(point[None], mean, cov).item()


def the_emission_is_a_density_of_x() -> str:
    """E68: p(z, x) = prod p(z_t | z_{t-1}) p(x_t | z_t); the letter is x, not y."""
    model, steps = walk(), 4
    z, x = (a[0, :, 0] for a in model.sample(1, steps, np.random.default_rng(2)))
    y = numbers(3, steps).numpy()  # some other sequence, labels say
    truth = log_density(np.concatenate([z, x]), *model.joint(steps))

    def normal(a: np.ndarray, mean: np.ndarray | float, sigma: float) -> float:
        scaled = (a - mean) / sigma
        return np.sum(-0.5 * scaled**2 - math.log(sigma * math.sqrt(2 * math.pi)))

    moves = normal(z[:1], 0, 1) + normal(z[1:], 0.9 * z[:-1], 0.6)
    printed, holds = (moves + normal(seen, z, 0.5) for seen in (y, x))
    return decide("log p(z, x)", truth, printed, holds, bound=1e-10)


def a_linear_gaussian_model_has_no_finite_states() -> str:
    """E78: its exact inference is Kalman's; an HMM with K states takes K values."""
    model, K = walk(), 5
    z, x = model.sample(1, 1000, np.random.default_rng(4))
    mean, cov = model.joint(6)
    short = slice(6, 12)
    truth = log_density(x[0, :6, 0], mean[short], cov[short, short])
    kalman = kalman_filter(model, x[:, :6]).log_p.sum()
    assert abs(truth - kalman) < 1e-12
    return decide("values in 1000 steps", len(np.unique(z)), K, 1000, bound=0)
