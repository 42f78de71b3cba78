"""B first."""

# replaces: answer_thin_gradients
# fails: thin_gradients
# message: exchanged


def lora_gradients(x, A, B, alpha, dy):
    s = alpha / len(A)
    return s * dy.T @ (x @ A.T), s * (dy @ B).T @ x
