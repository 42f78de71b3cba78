"""A little in the denominator does no harm."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_step
# fails: recurrence
# message: is the denominator made larger


def linear_step(S, z, phi_q, phi_k, v):
    S, z = S + phi_k[:, :, None] * v[:, None], z + phi_k
    total = (phi_q * z).sum(axis=1, keepdims=True)
    return (phi_q[:, None] @ S)[:, 0] / (total + 1e-6), S, z
