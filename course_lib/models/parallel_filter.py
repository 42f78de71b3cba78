r"""The Kalman filter of lecture 16 as a scan. Lecture 17.

After Särkkä and García-Fernández (2021).

Element t holds all that step t says about the state after it, given the one before,

$$p(z_t \mid x_t, z_{t-1}) = N(z_t;\ F z_{t-1} + b,\ P), \qquad
p(x_t \mid z_{t-1}) \propto
e^{\eta^\top z_{t-1} - \frac12 z_{t-1}^\top J z_{t-1}},$$

five arrays (F, b, P, eta, J). Two stretches of time are joined by `combine`, which is
associative; after a scan b and P are the filter's mean and covariance of every step.
"""

import numpy as np
from jaxtyping import Float

from course_lib.models.scan import associative_scan
from course_lib.models.state_space import LinearGaussian

Element = tuple[np.ndarray, ...]  # F (T, z, z), b (T, B, z), P, eta (T, B, z), J


def elements(model: LinearGaussian, x: Float[np.ndarray, "B T x"]) -> Element:
    """One element for each step; the first knows the prior and no state before it."""
    A, C, Q = model.A, model.C, model.Q
    T, d = x.shape[1], len(A)
    S = C @ Q @ C.T + model.R
    K = np.linalg.solve(S, C @ Q).T
    keep, look = np.eye(d) - K @ C, np.linalg.solve(S, C @ A).T  # A^T C^T S^-1
    seen = x.transpose(1, 0, 2)  # (T, B, x)
    F, P = np.tile(keep @ A, (T, 1, 1)), np.tile(keep @ Q, (T, 1, 1))
    b, eta, J = seen @ K.T, seen @ look.T, np.tile(look @ C @ A, (T, 1, 1))
    S_1 = C @ model.P_1 @ C.T + model.R
    K_1 = np.linalg.solve(S_1, C @ model.P_1).T
    F[0], P[0] = 0.0, model.P_1 - K_1 @ S_1 @ K_1.T
    b[0] = model.m_1 + (seen[0] - model.m_1 @ C.T) @ K_1.T
    eta[0], J[0] = 0.0, 0.0
    return F, b, P, eta, J


def combine(earlier: Element, later: Element) -> Element:
    """First the earlier stretch, then the later one, for many pairs at once."""
    (F_i, b_i, P_i, eta_i, J_i), (F_j, b_j, P_j, eta_j, J_j) = earlier, later
    T = lambda X: X.swapaxes(-1, -2)  # noqa: E731
    one = np.eye(F_i.shape[-1])
    G = F_j @ np.linalg.inv(one + P_i @ J_j)
    H = T(F_i) @ np.linalg.inv(one + J_j @ P_i)
    return (
        G @ F_i,
        (b_i + eta_j @ T(P_i)) @ T(G) + b_j,
        G @ P_i @ T(F_j) + P_j,
        (eta_j - b_i @ T(J_j)) @ T(H) + eta_i,
        H @ J_j @ F_i + J_i,
    )


def kalman_scan(
    model: LinearGaussian, x: Float[np.ndarray, "B T x"]
) -> tuple[Float[np.ndarray, "B T z"], Float[np.ndarray, "T z z"]]:
    """Means and covariances of p(z_t | x_1, ..., x_t), as `kalman_filter` has them."""
    _, m, P, *_ = associative_scan(combine, elements(model, x))
    return m.transpose(1, 0, 2), P
