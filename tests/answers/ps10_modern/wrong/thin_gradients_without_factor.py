"""The factor is in the forward pass."""

# replaces: answer_thin_gradients
# fails: thin_gradients
# message: the factor alpha / r is missing


def lora_gradients(x, A, B, alpha, dy):
    return (dy @ B).T @ x, dy.T @ (x @ A.T)
