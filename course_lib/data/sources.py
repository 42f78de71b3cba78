r"""Sources of symbols whose entropy rate is known: a limit for models to reach.

Data: generated here from a seed; nothing is downloaded and no licence applies.

The **entropy rate** of a source is the uncertainty about the next symbol that is left
once the whole past is known, $\eta = \lim_n H(X_n \mid X_1, \dots, X_{n-1})$, in nats.
In the mean, no model of any kind can have a negative log-likelihood below it, so
$e^\eta$ is the lowest perplexity there is. Introduced in lecture 06.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy.typing import ArrayLike


def entropy(p: Float[np.ndarray, "*rows V"]) -> Float[np.ndarray, "*rows"]:
    r"""$-\sum_i p_i \ln p_i$ along the last axis, in nats; $0 \ln 0$ counts as 0."""
    p = np.asarray(p, dtype=float)
    logs = np.log(p, out=np.zeros_like(p), where=p > 0)
    return np.asarray(-(p * logs).sum(axis=-1))


def stationary(A: Float[np.ndarray, "S S"]) -> Float[np.ndarray, " S"]:
    r"""The row vector with $\pi A = \pi$ and $\sum_i \pi_i = 1$."""
    A = distribution_rows("transition", A)
    states = len(A)
    equations = np.vstack([A.T - np.eye(states), np.ones(states)])
    right = np.append(np.zeros(states), 1.0)
    pi, _, rank, _ = np.linalg.lstsq(equations, right, rcond=None)
    if rank < states:
        raise ValueError(
            f"the transition matrix {A.tolist()} has more than one stationary "
            "distribution: some states cannot be reached from others"
        )
    return pi


def distribution_rows(name: str, rows: ArrayLike) -> np.ndarray:
    """The matrix, checked: every row is a probability distribution."""
    rows = np.asarray(rows, dtype=float)
    if rows.ndim != 2 or (rows < 0).any() or not np.allclose(rows.sum(axis=1), 1):
        raise ValueError(
            f"{name} must be a matrix whose rows are distributions, got shape "
            f"{rows.shape} with row sums {rows.sum(axis=-1).tolist()}"
        )
    return rows


def _draw(rows: np.ndarray, start: int, uniform: np.ndarray) -> np.ndarray:
    """A path: the next index is where the running sum of the row passes u."""
    ladder = rows.cumsum(axis=1)
    path = np.empty(len(uniform), dtype=np.int64)
    state, last = start, rows.shape[1] - 1
    for t, u in enumerate(uniform):
        state = min(int(np.searchsorted(ladder[state], u, side="right")), last)
        path[t] = state
    return path


@dataclass(frozen=True)
class MarkovSource:
    r"""The next symbol depends on the last one: $A_{ij} = p(j \mid i)$, (V, V)."""

    A: np.ndarray

    @property
    def pi(self) -> Float[np.ndarray, " V"]:
        """How often each symbol comes in the long run."""
        return stationary(self.A)

    @property
    def entropy_rate(self) -> float:
        r"""$\eta = \sum_i \pi_i \, H(A_{i\cdot})$, exact."""
        return float(self.pi @ entropy(self.A))

    def sample(self, length: int, rng: np.random.Generator) -> Int[np.ndarray, " T"]:
        """A string of symbols, started in the long-run distribution."""
        uniform = rng.random(length + 1)
        start = _draw(self.pi[None], 0, uniform[:1])
        rest = _draw(np.asarray(self.A), int(start[0]), uniform[1:length])
        return np.concatenate([start, rest])[:length]


@dataclass(frozen=True)
class HiddenSource:
    r"""A hidden Markov source: a state one cannot see emits the symbols one can.

    A (S, S) moves the hidden state, B (S, V) emits: $p(x_t \mid z_t) = B_{z_t x_t}$.
    The whole past matters for the next symbol, so no table of finite length is exact.
    """

    A: np.ndarray
    B: np.ndarray

    def sample(self, length: int, rng: np.random.Generator) -> Int[np.ndarray, " T"]:
        """A string of symbols, started in the long-run distribution."""
        z = MarkovSource(self.A).sample(length, rng)
        ladder = np.asarray(self.B).cumsum(axis=1)
        x = (ladder[z] < rng.random(length)[:, None]).sum(axis=1)
        return np.minimum(x, ladder.shape[1] - 1)

    def predictions(self, x: Int[np.ndarray, " T"]) -> Float[np.ndarray, "T V"]:
        r"""$p(x_t \mid x_1 \dots x_{t-1})$ for every t: the best any model can say.

        The forward algorithm: believe $\beta_t = p(z_t \mid x_{<t})$, predict
        $\beta_t B$, weigh by what came, $\beta_t \odot B_{\cdot x_t}$, normalise, move.
        """
        A, B = np.asarray(self.A), np.asarray(self.B)
        belief, said = stationary(A), np.empty((len(x), B.shape[1]))
        for t, symbol in enumerate(x):
            said[t] = belief @ B
            belief = belief * B[:, symbol]
            belief = (belief / belief.sum()) @ A
        return said

    def entropy_rate_bounds(self, n: int) -> tuple[float, float]:
        r"""$H(X_n \mid X_{<n}, Z_1) \le \eta \le H(X_n \mid X_{<n})$, both exact.

        Found by listing all $V^n$ strings. To know where the hidden state started can
        only help, which gives the lower bound; a past of finite length can only hurt,
        which gives the upper one. They close in on each other exponentially fast.
        """
        A, B = np.asarray(self.A), np.asarray(self.B)
        if n < 2 or B.shape[1] ** n > 2_000_000:
            raise ValueError(
                f"n = {n} with {B.shape[1]} symbols means {B.shape[1] ** max(n, 0)} "
                "strings to list: take n from 2 upwards, and at most 2,000,000 strings"
            )
        pi = stationary(A)
        joint = np.eye(len(A))[:, None, :]  # (Z_1, strings, Z_t)
        known, unknown = [], []
        for _ in range(n):
            joint = joint[:, :, None, :] * B.T  # (Z_1, strings, V, Z_t)
            joint = joint.reshape(len(A), -1, len(A)) @ A
            strings = joint.sum(axis=2)  # p(x_1 … x_t | z_1)
            known.append(float(pi @ entropy(strings)))
            unknown.append(float(entropy(pi @ strings)))
        return known[-1] - known[-2], unknown[-1] - unknown[-2]


def load(seed: int = 0, length: int = 100_000) -> tuple[HiddenSource, np.ndarray]:
    """The source of lecture 06, and a string drawn from it with this seed.

    Three hidden moods, each fond of one of four symbols; a mood lasts 20 symbols on
    average. The fourth symbol is noise, the same in every mood.
    """
    stay, likes, other = 0.95, 0.75, 0.05
    A = np.full((3, 3), (1 - stay) / 2) + (stay - (1 - stay) / 2) * np.eye(3)
    B = np.full((3, 4), other) + (likes - other) * np.eye(3, 4)
    B[:, 3] = 1 - likes - 2 * other
    source = HiddenSource(A, B)
    return source, source.sample(length, np.random.default_rng(seed))
