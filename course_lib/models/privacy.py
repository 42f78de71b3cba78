r"""How much a model remembers of a secret, and what a private training run promises.

**Exposure** (Carlini et al., 2019). A secret was drawn from a space of $n$ equally
likely ones, and a model scores all of them:

$$\text{exposure} = \log_2 n - \log_2 \text{rank}.$$

It is 0 for the last place and $\log_2 n$ for the first. A model that never saw the
secret gives it a random place; see `chance_exposure`.

**Privacy accounting** (Mironov, Talwar and Zhang, 2019). One step of DP-SGD takes each
record with probability q, clips its gradient to length C and adds noise of standard
deviation sigma C. `renyi_step` is the Rényi divergence of one step, `epsilon` the
guarantee of many. Lecture 13b derives both.
"""

import math
from collections.abc import Iterable

import numpy as np

ORDERS = (*range(2, 65), 80, 96, 128, 192, 256, 512)


def rank(scores: np.ndarray, secret: int) -> float:
    """The place of one secret when all n are sorted, the highest score first.

    A tie counts half: if n equal scores gave everyone the first place, a model that
    knows nothing would look as if it knew everything.
    """
    scores = _scores(scores)
    if not 0 <= secret < len(scores):
        raise ValueError(f"secret {secret}: expected 0 to {len(scores) - 1}")
    better = int((scores > scores[secret]).sum())
    tied = int((scores == scores[secret]).sum()) - 1  # without itself
    return 1 + better + tied / 2


def exposure(scores: np.ndarray, secret: int) -> float:
    r"""$\log_2 n - \log_2 \text{rank}$, in bits."""
    return math.log2(len(_scores(scores))) - math.log2(rank(scores, secret))


def chance_exposure(n: int) -> float:
    r"""Mean exposure of a secret that the model has never seen.

    Every rank 1 … n is equally likely, so the mean is $\log_2 n - \log_2(n!) / n$,
    which tends to $1 / \ln 2 = 1.4427$ bits.
    """
    if n < 1:
        raise ValueError(f"n = {n}: a space of secrets has at least one")
    return math.log2(n) - math.lgamma(n + 1) / math.log(2) / n


def renyi_step(q: float, sigma: float, order: int) -> float:
    r"""Rényi divergence of one step, for a whole order $\alpha \ge 2$:

    $$\frac{1}{\alpha - 1} \ln \sum_{k=0}^{\alpha} \binom{\alpha}{k} (1 - q)^{\alpha -
    k} q^k \exp\Big(\frac{k^2 - k}{2 \sigma^2}\Big).$$

    q  probability that a record takes part;  sigma  noise in units of the clip length
    """
    _check_step(q, sigma)
    if order != int(order) or order < 2:
        raise ValueError(f"order {order}: the sum is for whole orders from 2 on")
    if q == 0:
        return 0.0
    if sigma == 0:
        return math.inf
    k = np.arange(order + 1)
    log_factorial = np.array([math.lgamma(i + 1) for i in range(order + 1)])
    terms = log_factorial[order] - log_factorial - log_factorial[::-1]  # binomial
    terms = terms + k * math.log(q) + (k**2 - k) / (2 * sigma**2)
    stay_away = math.log1p(-q) if q < 1 else -math.inf
    terms[:-1] += (order - k[:-1]) * stay_away  # the last has a power of 0
    top = terms.max()
    return float(top + np.log(np.exp(terms - top).sum())) / (order - 1)


def epsilon(
    q: float,
    sigma: float,
    steps: int,
    delta: float,
    orders: Iterable[int] = ORDERS,
) -> float:
    r"""The ε of `steps` steps at this δ: divergences add up, and the best order wins.

    $$\varepsilon = \min_\alpha \Big[\text{steps} \cdot \rho(\alpha)
    + \frac{\ln(1/\delta)}{\alpha - 1}\Big].$$

    Only whole orders are tried: every one is a valid bound, but where the best would
    lie below 2 (an ε of several hundred) ours is generous.
    """
    _check_step(q, sigma)
    if steps < 0 or not 0 < delta < 1:
        raise ValueError(
            f"steps {steps} must not be negative, and delta {delta} must lie between "
            "0 and 1: with delta 0 the Gaussian noise gives no finite epsilon"
        )
    if steps == 0 or q == 0:
        return 0.0
    return min(
        steps * renyi_step(q, sigma, order) + math.log(1 / delta) / (order - 1)
        for order in orders
    )


def _scores(scores: np.ndarray) -> np.ndarray:
    scores = np.asarray(scores, dtype=float)
    if scores.ndim != 1 or not len(scores):
        raise ValueError(
            f"scores of shape {scores.shape}: expected one for each secret"
        )
    if np.isnan(scores).any():
        raise ValueError(f"{np.isnan(scores).sum()} scores are nan: no rank exists")
    return scores


def _check_step(q: float, sigma: float) -> None:
    if not 0 <= q <= 1 or not sigma >= 0:
        raise ValueError(f"q = {q} must be a probability, sigma = {sigma} not negative")
