r"""How far a gradient reaches in a random recurrent network. Lecture 03.

`gradient_curve` runs the network and measures the spectral norm of
$\partial h_T / \partial h_{T-k} = J_T J_{T-1} \cdots J_{T-k+1}$ for every lag k, with
$J_t = \operatorname{diag}(\phi'(a_t)) W_h$.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

WIDTH, SEQUENCES, WARM_UP, LAGS = 24, 12, 20, 40
# How the middle norm at the largest lag is called: below the first, above the second.
VANISHED, EXPLODED = 1e-2, 1e2


@dataclass(frozen=True)
class Activation:
    """A squashing function, its slope, and the largest value the slope can take."""

    value: Callable
    slope: Callable
    largest_slope: float


def _sigmoid(a: np.ndarray) -> np.ndarray:
    return 0.5 * (1 + np.tanh(a / 2))  # the same function; never overflows


ACTIVATIONS = {
    "tanh": Activation(np.tanh, lambda a: 1 - np.tanh(a) ** 2, 1.0),
    "ReLU": Activation(lambda a: np.maximum(a, 0), lambda a: (a > 0) * 1.0, 1.0),
    "sigmoid": Activation(_sigmoid, lambda a: _sigmoid(a) * (1 - _sigmoid(a)), 0.25),
    "identity": Activation(lambda a: a, np.ones_like, 1.0),
}


@dataclass(frozen=True)
class GradientCurve:
    """norms (sequences, lags + 1), their bound (lags + 1,), and what made them."""

    norms: np.ndarray
    bound: np.ndarray
    radius: float
    largest_singular_value: float
    activation: str

    @property
    def lags(self) -> np.ndarray:
        """0, 1, ..., the largest lag."""
        return np.arange(self.norms.shape[1])


def random_network(
    radius: float, drive: float, width: int = WIDTH, seed: int = 3
) -> tuple[np.ndarray, np.ndarray]:
    """W_h with the given spectral radius, and what enters: (sequences, time, width).

    W_h is Gaussian, then scaled. `drive` is the standard deviation of the inputs'
    contribution W_x x_t + b_h to each pre-activation, drawn afresh at every step.
    """
    if radius <= 0 or drive < 0:
        raise ValueError(
            f"radius must be positive and drive not negative, got {radius} and {drive}"
        )
    rng = np.random.default_rng(seed)
    W_h = rng.standard_normal((width, width))
    W_h *= radius / np.abs(np.linalg.eigvals(W_h)).max()
    entering = drive * rng.standard_normal((SEQUENCES, WARM_UP + LAGS, width))
    return W_h, entering


def gradient_curve(
    radius: float, activation: str = "tanh", drive: float = 0.5, seed: int = 3
) -> GradientCurve:
    r"""Norms of $\partial h_T / \partial h_{T-k}$ for k = 0, ..., LAGS, and the bound.

    The bound is $(\gamma\,\sigma_{\max})^k$ with the activation's largest slope
    $\gamma$ and the largest singular value of W_h.
    """
    if activation not in ACTIVATIONS:
        raise ValueError(f"activation {activation!r} is not one of {[*ACTIVATIONS]}")
    phi = ACTIVATIONS[activation]
    W_h, entering = random_network(radius, drive, seed=seed)
    h = np.zeros((SEQUENCES, WIDTH))
    slopes = []
    for t in range(WARM_UP + LAGS):
        a = h @ W_h.T + entering[:, t]
        h = phi.value(a)
        slopes.append(phi.slope(a))
    product = np.broadcast_to(np.eye(WIDTH), (SEQUENCES, WIDTH, WIDTH))
    norms = [np.ones(SEQUENCES)]
    for slope in reversed(slopes[WARM_UP:]):
        product = product @ (
            slope[:, :, None] * W_h
        )  # one earlier factor, on the right
        norms.append(np.linalg.norm(product, 2, axis=(1, 2)))
    sigma = float(np.linalg.norm(W_h, 2))
    bound = (phi.largest_slope * sigma) ** np.arange(LAGS + 1)
    return GradientCurve(np.stack(norms, axis=1), bound, radius, sigma, activation)


def verdict(curve: GradientCurve) -> str:
    """A word for the middle norm at the largest lag: under 1/100, over 100, between."""
    last = np.median(curve.norms[:, -1])
    if last < VANISHED:
        return "vanishes"
    return "explodes" if last > EXPLODED else "keeps its size"
