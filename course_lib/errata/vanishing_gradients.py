"""Lectures 03, 03b: what makes gradients vanish or explode, and what is said of it."""

import math

import numpy as np
import torch

from course_lib.errata.evidence import decide, jacobian, numbers

SKEW = np.array([[0.5, 10.0], [0.0, 0.5]])  # large singular value, small eigenvalues


def spectral_radius(W: np.ndarray) -> float:
    return float(np.abs(np.linalg.eigvals(W)).max())


def the_largest_singular_value_is_not_an_eigenvalue() -> str:
    """E3: sigma_max is the largest stretch of a vector; eigenvalues may be smaller."""
    angle = np.linspace(0, np.pi, 100_001)
    stretch = np.linalg.norm(SKEW @ np.array([np.cos(angle), np.sin(angle)]), axis=0)
    sigma = np.linalg.svd(SKEW, compute_uv=False)[0]
    radius = spectral_radius(SKEW)
    settled = decide("largest stretch", stretch.max(), radius, sigma, bound=1e-6)
    turn = np.linalg.eigvals(1.01 * np.array([[0.6, -0.8], [0.8, 0.6]]))
    assert np.abs(turn.imag).min() > 0.5  # no order among complex numbers
    return f"{settled}; a rotation's eigenvalues are not even real"


def the_spectral_radius_decides_the_long_run() -> str:
    """E40: W^k grows by rho per step in the end, whatever sigma_max says."""
    power = np.linalg.matrix_power(SKEW, 1000)
    growth = np.linalg.norm(power @ SKEW, 2) / np.linalg.norm(power, 2)
    sigma = np.linalg.norm(SKEW, 2)
    what, rho = f"growth per step in the end, {growth:.2f}", spectral_radius(SKEW)
    return decide(what, growth, sigma, rho, bound=1e-3, at_least=1)


def the_scalar_rule_needs_an_absolute_value() -> str:
    """E4: w = -2 is below 1 and explodes; and about 1 is not 1 over a long time."""
    w = -2.0
    growth = decide("growth per step", abs(w**20) ** (1 / 20), w, abs(w))
    near_one = math.exp(10_000 * math.log(0.999))
    long_run = decide("0.999^10000", 0.999**10_000, 1.0, near_one, bound=1e-9)
    return f"{growth} | {long_run}"


def the_slope_of_tanh_reaches_one() -> str:
    """E5: tanh'(a) lies in (0, 1], with 1 at a = 0, so a gradient can survive."""
    a = (torch.arange(-10, 11).double() / 4).requires_grad_()
    (slope,) = torch.autograd.grad(torch.tanh(a).sum(), a)
    below_one = (slope < 1).numpy()
    printed, holds = np.full(21, True), (a != 0).numpy()
    return decide("is the slope below 1?", below_one, printed, holds, bound=0)


def not_every_matrix_norm_bounds_products() -> str:
    """E6: |AB| <= |A| |B| holds for induced norms and Frobenius, not for max |a_ij|."""
    A = np.ones((2, 2))
    norms = {
        "largest entry": lambda M: np.abs(M).max(),
        "Frobenius": np.linalg.norm,
        "spectral": lambda M: np.linalg.norm(M, 2),
    }
    bounded = [bool(n(A @ A) <= n(A) * n(A) + 1e-12) for n in norms.values()]
    what = "bounded by largest entry, Frobenius, spectral norm?"
    return decide(what, bounded, [True] * 3, [False, True, True], bound=0)


def the_irnn_jacobian_contains_the_state() -> str:
    """E7: with W_h = I and relu the slope is 1 where h + W_x x > 0."""
    h, entering = numbers(1, 6), numbers(2, 6)
    truth = jacobian(lambda s: torch.relu(s + entering), h)
    printed, holds = (torch.diag((a > 0).double()) for a in (entering, h + entering))
    return decide("dh_t/dh_{t-1} against autograd", truth, printed, holds)


def two_thresholds(length: float, eta: float, gamma: float) -> float:
    """Length of a gradient after "if |g| > eta, rescale to gamma"."""
    return gamma if length > eta else length


def clipping_needs_one_threshold() -> str:
    """E8: one number decides and is the new length; with two, clipping can enlarge."""
    lengths, clipped = (0.9, 1.1, 3.0, 9.0), []
    for length in lengths:
        w = torch.zeros(1, dtype=torch.float64, requires_grad=True)
        w.grad = torch.tensor([length], dtype=torch.float64)
        torch.nn.utils.clip_grad_norm_([w], max_norm=1.0)
        clipped.append(w.grad.item())
    printed = [two_thresholds(n, eta=1.0, gamma=5.0) for n in lengths]
    holds = [two_thresholds(n, eta=1.0, gamma=1.0) for n in lengths]
    assert printed[1] > lengths[1]  # "clipping" made the gradient longer
    settled = decide("lengths against torch", clipped, printed, holds, bound=1e-5)
    return f"{settled}; with two thresholds 1.1 becomes 5"


def different_matrices_vanish_and_explode_too() -> str:
    """E41: the length of the product is the cause; sharing only fixes the rate."""
    rng, logs = np.random.default_rng(0), []
    for gain in (0.5, 1.5):
        product = np.eye(24)
        for _ in range(50):
            product = gain * rng.standard_normal((24, 24)) / 24**0.5 @ product
        logs.append(math.log10(np.linalg.norm(product, 2)))
    happens = [logs[0] < -8, logs[1] > 4]
    what = "50 different matrices vanish, explode?"
    settled = decide(what, happens, [False, False], [True, True], bound=0)
    return f"{settled}; norms 10^{logs[0]:.0f} and 10^{logs[1]:.0f}"


def the_mean_of_the_slopes_is_geometric() -> str:
    """E65: prod (gamma_t w) = (gamma w)^T with the geometric mean, all T factors."""
    w, x, h_0 = 1.3, numbers(3, 8) / 2, torch.tensor([0.4], dtype=torch.float64)

    def last(h: torch.Tensor) -> torch.Tensor:
        for x_t in x:
            h = torch.tanh(w * h + x_t)
        return h

    slopes, h = [], h_0
    for x_t in x:
        h = torch.tanh(w * h + x_t)
        slopes.append(1 - h.item() ** 2)
    truth = jacobian(last, h_0).item()
    geometric = math.exp(np.mean(np.log(slopes)))
    arithmetic = (np.mean(slopes) * w) ** 8
    mean = decide("arithmetic mean", truth, arithmetic, (geometric * w) ** 8)
    product = math.prod(s * w for s in slopes)
    lost = decide("product sign lost", truth, slopes[-1] * w, product)
    return f"{mean} | {lost}"
