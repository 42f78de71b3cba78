"""A little in the denominator does no harm."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_linear
# fails: linear
# message: is the denominator made larger


def linear_attention(phi_q, phi_k, v):
    total = phi_q @ phi_k.sum(axis=1)[:, :, None]
    return phi_q @ (phi_k.swapaxes(1, 2) @ v) / (total + 1e-6)
