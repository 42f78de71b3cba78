"""The definition, with the weights written down."""

# replaces: answer_linear
# fails: linear
# message: the array of all pairs does not fit


def linear_attention(phi_q, phi_k, v):
    weights = phi_q @ phi_k.swapaxes(1, 2)
    return weights @ v / weights.sum(axis=2, keepdims=True)
