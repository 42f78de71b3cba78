"""The mean over the rows."""

# replaces: answer_thin_gradients
# fails: thin_gradients
# message: this is their mean


def lora_gradients(x, A, B, alpha, dy):
    s = alpha / len(A)
    return s * (dy @ B).T @ x / len(x), s * dy.T @ (x @ A.T) / len(x)
