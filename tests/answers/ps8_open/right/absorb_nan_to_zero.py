"""The old sum is one more key, and nan becomes 0."""

# replaces: answer_absorb

import numpy as np


def absorb(top, z, y, scores, values):
    new = np.maximum(top, scores.max(axis=1))
    with np.errstate(all="ignore"):
        both = np.exp(np.column_stack([top, scores]) - new[:, None])
    both = np.nan_to_num(both, nan=0.0)
    z = both[:, 0] * z + both[:, 1:].sum(axis=1)
    return new, z, both[:, :1] * y + np.einsum("nc,cd->nd", both[:, 1:], values)


# replaces: answer_step


def linear_step(S, z, phi_q, phi_k, v):
    state = np.concatenate([S, z[..., None]], axis=2)
    state = state + phi_k[..., None] @ np.column_stack([v, np.ones(len(v))])[:, None]
    both = (phi_q[:, None] @ state)[:, 0]
    return both[:, :-1] / both[:, -1:], state[..., :-1], state[..., -1]
