r"""State-space models that can be solved exactly. Lecture 16.

$$z_t = A z_{t-1} + B \varepsilon_t, \qquad x_t = C z_t + D \psi_t, \qquad
  z_1 \sim N(m_1, P_1), \qquad \varepsilon_t, \psi_t \sim N(0, I)$$

is the linear-Gaussian model: Kalman filter, Rauch-Tung-Striebel smoother, and the joint
Gaussian they are checked against. The hidden Markov model has a finite state; its
forward algorithm is the same two moves, predict and update, with sums for integrals,
and its smoother walks backwards over the beliefs as the other one over the Gaussians.
Everything is NumPy in float64. Sequences are batch first, x (batch, T, d_x);
covariances do not depend on the data, so they have no batch axis.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int


@dataclass(frozen=True)
class LinearGaussian:
    """A, B move the state; C, D show it; z_1 has mean m_1 and covariance P_1."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    m_1: np.ndarray
    P_1: np.ndarray

    @property
    def Q(self) -> np.ndarray:
        """Covariance of the moves, B B^T."""
        return self.B @ self.B.T

    @property
    def R(self) -> np.ndarray:
        """Covariance of the observations, D D^T."""
        return self.D @ self.D.T

    def sample(
        self, count: int, steps: int, rng: np.random.Generator
    ) -> tuple[Float[np.ndarray, "B T z"], Float[np.ndarray, "B T x"]]:
        """Latent paths and what is seen of them."""
        normal = lambda width: rng.standard_normal((count, width))  # noqa: E731
        z_t = self.m_1 + normal(len(self.m_1)) @ np.linalg.cholesky(self.P_1).T
        z = [z_t]
        for _ in range(steps - 1):
            z_t = z_t @ self.A.T + normal(self.B.shape[1]) @ self.B.T
            z.append(z_t)
        z = np.stack(z, axis=1)
        noise = rng.standard_normal((count, steps, self.D.shape[1]))
        return z, z @ self.C.T + noise @ self.D.T

    def joint(self, steps: int) -> tuple[np.ndarray, np.ndarray]:
        r"""Mean and covariance of (z_1, ..., z_T, x_1, ..., x_T), stacked.

        $Cov(z_{t+1}, z_s) = A\, Cov(z_t, z_s)$ for $s \le t$, and x is linear in z.
        """
        d_z = len(self.m_1)
        mean, cov = [self.m_1], np.zeros((steps, steps, d_z, d_z))
        cov[0, 0] = self.P_1
        for t in range(1, steps):
            mean.append(self.A @ mean[-1])
            for s in range(t):
                cov[t, s] = self.A @ cov[t - 1, s]
                cov[s, t] = cov[t, s].T
            cov[t, t] = self.A @ cov[t - 1, t - 1] @ self.A.T + self.Q
        mean = np.concatenate(mean)
        P = cov.transpose(0, 2, 1, 3).reshape(steps * d_z, steps * d_z)
        show, noise = np.kron(np.eye(steps), self.C), np.kron(np.eye(steps), self.R)
        whole = np.block([[P, P @ show.T], [show @ P, show @ P @ show.T + noise]])
        return np.concatenate([mean, show @ mean]), whole


def log_gaussian(x: np.ndarray, mean: np.ndarray, cov: np.ndarray) -> np.ndarray:
    r"""$-\frac12 (x - \mu)^\top \Sigma^{-1} (x - \mu) - \frac12 \log\det 2\pi\Sigma$"""
    off = x - mean
    square = np.einsum(
        "...i,...i->...", off, np.linalg.solve(cov, off[..., None])[..., 0]
    )
    return -0.5 * (square + np.linalg.slogdet(2 * math.pi * cov)[1])


def condition(
    mean: np.ndarray, cov: np.ndarray, known: slice, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    r"""Mean and covariance of the other entries, given the entries `known`.

    $\mu_a + K (b - \mu_b)$ and $\Sigma_{aa} - K \Sigma_{ba}$ with
    $K = \Sigma_{ab} \Sigma_{bb}^{-1}$. values (..., known) -> mean (..., others)
    """
    is_known = np.zeros(len(mean), dtype=bool)
    is_known[known] = True
    a, b = np.flatnonzero(~is_known), np.flatnonzero(is_known)
    K = np.linalg.solve(cov[np.ix_(b, b)], cov[np.ix_(b, a)]).T
    return mean[a] + (values - mean[b]) @ K.T, cov[np.ix_(a, a)] - K @ cov[np.ix_(b, a)]


@dataclass(frozen=True)
class Filtered:
    """p(z_t | x_<t) as m_minus, P_minus; p(z_t | x_<=t) as m, P; log p(x_t | x_<t)."""

    m_minus: np.ndarray  # (batch, T, d_z)
    P_minus: np.ndarray  # (T, d_z, d_z)
    m: np.ndarray
    P: np.ndarray
    log_p: np.ndarray  # (batch, T); its sum over T is log p(x_1:T)


def kalman_filter(model: LinearGaussian, x: Float[np.ndarray, "B T x"]) -> Filtered:
    r"""Predict $m^- = A m$, $P^- = A P A^\top + Q$; then update with the gain $K$.

    $S = C P^- C^\top + R$, $K = P^- C^\top S^{-1}$, $m = m^- + K (x_t - C m^-)$,
    $P = P^- - K S K^\top$, and $\log p(x_t|x_{<t}) = \log N(x_t; C m^-, S)$.
    """
    if x.ndim != 3 or x.shape[2] != len(model.C):
        raise ValueError(
            f"x has shape {x.shape}, expected (batch, T, {len(model.C)}) for this C"
        )
    A, C = model.A, model.C
    m_minus, P_minus = np.tile(model.m_1, (len(x), 1)), model.P_1
    rows = []
    for x_t in x.transpose(1, 0, 2):
        S = C @ P_minus @ C.T + model.R
        K = np.linalg.solve(S, C @ P_minus).T
        m = m_minus + (x_t - m_minus @ C.T) @ K.T
        P = P_minus - K @ S @ K.T
        rows.append((m_minus, P_minus, m, P, log_gaussian(x_t, m_minus @ C.T, S)))
        m_minus, P_minus = m @ A.T, A @ P @ A.T + model.Q
    m_minus, P_minus, m, P, log_p = zip(*rows, strict=True)
    batch = lambda steps: np.stack(steps, axis=1)  # noqa: E731
    return Filtered(
        batch(m_minus), np.stack(P_minus), batch(m), np.stack(P), batch(log_p)
    )


@dataclass(frozen=True)
class Smoothed:
    """p(z_t | x_1:T) as m, P, and cross[t] = Cov(z_{t+1}, z_t | x_1:T)."""

    m: np.ndarray  # (batch, T, d_z)
    P: np.ndarray  # (T, d_z, d_z)
    cross: np.ndarray  # (T - 1, d_z, d_z)


def rts_smoother(model: LinearGaussian, filtered: Filtered) -> Smoothed:
    r"""Backwards, with $J_t = P_t A^\top (P^-_{t+1})^{-1}$.

    $m^s_t = m_t + J_t (m^s_{t+1} - m^-_{t+1})$,
    $P^s_t = P_t + J_t (P^s_{t+1} - P^-_{t+1}) J_t^\top$.
    """
    m, P = filtered.m.copy(), filtered.P.copy()
    cross = np.zeros((len(P) - 1, *P.shape[1:]))
    for t in reversed(range(len(P) - 1)):
        P_minus = filtered.P_minus[t + 1]
        J = np.linalg.solve(P_minus, model.A @ filtered.P[t]).T
        m[:, t] += (m[:, t + 1] - filtered.m_minus[:, t + 1]) @ J.T
        P[t] += J @ (P[t + 1] - P_minus) @ J.T
        cross[t] = P[t + 1] @ J.T
    return Smoothed(m, P, cross)


def hmm_forward(
    pi: Float[np.ndarray, " S"],
    A: Float[np.ndarray, "S S"],
    B: Float[np.ndarray, "S V"],
    x: Int[np.ndarray, " T"],
) -> tuple[Float[np.ndarray, "T S"], Float[np.ndarray, " T"]]:
    r"""Beliefs $p(z_t | x_{\le t})$ and $\log p(x_t | x_{<t})$ of a true HMM.

    Rows are what one comes from: $A_{ij} = p(z_{t+1}=j | z_t=i)$, $B_{iv} = p(v | i)$.
    Predict $b A$, weigh by $B_{\cdot x_t}$, and divide by the sum, which is
    $p(x_t | x_{<t})$: the division keeps the numbers from running out of digits.
    """
    beliefs, log_p, predicted = [], [], pi
    for symbol in x:
        weighed = predicted * B[:, symbol]
        total = weighed.sum()
        if total == 0:
            raise ValueError(
                f"symbol {symbol} cannot follow {x[: len(log_p)].tolist()}"
            )
        beliefs.append(weighed / total)
        log_p.append(math.log(total))
        predicted = beliefs[-1] @ A
    return np.stack(beliefs), np.array(log_p)


def hmm_smoother(
    A: Float[np.ndarray, "S S"], beliefs: Float[np.ndarray, "T S"]
) -> Float[np.ndarray, "T S"]:
    r"""$p(z_t | x_{1:T})$ from the beliefs of `hmm_forward`, from the end backwards.

    $g_{t,i} = b_{t,i} \sum_j A_{ij}\, g_{t+1,j} / \sum_k b_{t,k} A_{kj}$; the symbols
    are not needed again. A state that cannot be reached has 0 / 0 there, which is 0.
    """
    smoothed = beliefs.copy()
    for t in reversed(range(len(beliefs) - 1)):
        expected = beliefs[t] @ A
        ratio = np.divide(
            smoothed[t + 1], expected, out=np.zeros_like(expected), where=expected > 0
        )
        smoothed[t] = beliefs[t] * (A @ ratio)
    return smoothed
