"""A mean over the keys."""

# replaces: answer_linear
# fails: linear
# message: not by M


def linear_attention(phi_q, phi_k, v):
    return phi_q @ (phi_k.swapaxes(1, 2) @ v) / phi_k.shape[1]
