r"""A walker with three homes: trajectories whose dynamics switch. Lecture 16b.

Data: generated here from a seed; nothing is downloaded and no licence applies.

At each step the walker has one home in mind, $k_t$, keeps it with probability `STAY`,
and moves part of the way towards it, on a curve:

$$z_t = c_{k_t} + A\,(z_{t-1} - c_{k_t}) + b\,\varepsilon_t, \qquad
  x_t = z_t + d\,\psi_t, \qquad z_0 = 0,$$

with $A$ a rotation times a number below one. We see only $x_t$, in the plane. For a
known sequence of homes everything is linear and Gaussian, so the likelihood is a finite
sum over all $3^T$ of them, see `log_likelihood`: a limit for models to reach.
"""

import math
from collections.abc import Iterator

import numpy as np
from jaxtyping import Float, Int

STAY = 0.85
SHRINK, TURN = 0.75, 0.4  # A = SHRINK times a rotation by TURN (radians)
MOVE_NOISE, SIGHT_NOISE = 0.1, 0.4  # b and d
_angles = np.pi / 2 + 2 * np.pi * np.arange(3) / 3
HOMES = 1.5 * np.stack([np.cos(_angles), np.sin(_angles)], axis=1)  # (3, 2)
A = SHRINK * np.array(
    [[math.cos(TURN), -math.sin(TURN)], [math.sin(TURN), math.cos(TURN)]]
)
SWITCH = np.full((3, 3), (1 - STAY) / 2) + (STAY - (1 - STAY) / 2) * np.eye(3)

Modes = Int[np.ndarray, "count steps"]
Paths = Float[np.ndarray, "count steps 2"]
MOST_PATHS = 100_000


def homes_in_mind(count: int, steps: int, rng: np.random.Generator) -> Modes:
    """k_1 is each home with probability 1/3, then k_t by the rows of SWITCH."""
    k = rng.integers(0, 3, (count, steps))
    stays = (
        rng.random((count, steps)) < 1.5 * STAY - 0.5
    )  # else: any home, even the same
    for t in range(1, steps):
        k[:, t] = np.where(stays[:, t], k[:, t - 1], k[:, t])
    return k


def walk(k: Modes, noise: Float[np.ndarray, "count steps 2"]) -> Paths:
    """Where the walker is, given the homes in mind and the noise of the moves."""
    if noise.shape != (*k.shape, 2):
        raise ValueError(
            f"noise has shape {noise.shape}, expected {(*k.shape, 2)}: one pair for "
            "every step of every walker"
        )
    z = np.zeros((*k.shape, 2))
    z_t = np.zeros((len(k), 2))
    for t in range(k.shape[1]):
        home = HOMES[k[:, t]]
        z_t = home + (z_t - home) @ A.T + MOVE_NOISE * noise[:, t]
        z[:, t] = z_t
    return z


def load(count: int, steps: int, seed: int = 0) -> tuple[Paths, Paths, Modes]:
    """What is seen x, where the walker was z, which home it had in mind k."""
    if count < 0 or steps < 1:
        raise ValueError(
            f"count must not be negative and steps positive, got {count} and {steps}"
        )
    rng = np.random.default_rng(seed)
    k = homes_in_mind(count, steps, rng)
    z = walk(k, rng.standard_normal((count, steps, 2)))
    return z + SIGHT_NOISE * rng.standard_normal(z.shape), z, k


def every_path(steps: int) -> tuple[Modes, Float[np.ndarray, " paths"]]:
    """All 3^steps sequences of homes, and the logarithm of how likely each is."""
    if steps < 1 or 3**steps > MOST_PATHS:
        raise ValueError(
            f"{steps} steps mean 3^{steps} sequences of homes; this sum is for 1 to "
            f"{int(math.log(MOST_PATHS, 3))} steps"
        )
    k = np.indices((3,) * steps).reshape(steps, -1).T
    log_p = np.log(SWITCH)[k[:, :-1], k[:, 1:]].sum(axis=1) - math.log(3)
    return k, log_p


def covariance(steps: int) -> Float[np.ndarray, "values values"]:
    r"""Cov(x_1:T | homes), (2T, 2T): the same whichever the homes are.

    $z_t - E z_t = \sum_{s \le t} A^{t-s} b \varepsilon_s$ is a matrix $G$ times
    the noises, so the covariance is $b^2 G G^\top + d^2 I$.
    """
    power = [np.linalg.matrix_power(A, n) for n in range(steps)]
    zero = np.zeros((2, 2))
    blocks = [
        [power[t - s] if s <= t else zero for s in range(steps)] for t in range(steps)
    ]
    G = np.block(blocks)
    return MOVE_NOISE**2 * G @ G.T + SIGHT_NOISE**2 * np.eye(2 * steps)


def _path_scores(x: Paths, at_once: int = 64) -> Iterator[tuple[Modes, np.ndarray]]:
    """log p(x, k) for every sequence of homes k, a few walkers at a time."""
    count, steps = x.shape[:2]
    k, log_p = every_path(steps)
    means = walk(k, np.zeros((*k.shape, 2))).reshape(len(k), -1)
    root = np.linalg.cholesky(covariance(steps))
    straight = np.linalg.inv(root)  # makes the noise independent, of variance one
    means = means @ straight.T
    constant = -np.log(np.diag(root)).sum() - steps * math.log(2 * math.pi)
    for start in range(0, count, at_once):
        seen = x[start : start + at_once].reshape(-1, 2 * steps) @ straight.T
        square = (seen**2).sum(1)[:, None] - 2 * seen @ means.T + (means**2).sum(1)
        yield k, log_p - 0.5 * square + constant


def log_likelihood(x: Paths) -> Float[np.ndarray, " count"]:
    r"""$\log p(x_{1:T}) = \log \sum_{k} p(k)\, N(x;\, \mu_k, \Sigma)$, exact."""
    parts = [np.logaddexp.reduce(scores, axis=1) for _, scores in _path_scores(x)]
    return np.concatenate([np.empty(0), *parts])


def home_beliefs(x: Paths) -> Float[np.ndarray, "count steps 3"]:
    """p(k_t | x_1:T) for every step, exact: what is known with hindsight.

    For what is known at the time, p(k_t | x_<=t), call it with x[:, :t] and take the
    last step.
    """
    beliefs = []
    for k, scores in _path_scores(x):
        weight = np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None])
        beliefs.append(np.stack([weight @ (k == home) for home in range(3)], axis=2))
    return np.concatenate([np.empty((0, x.shape[1], 3)), *beliefs])
