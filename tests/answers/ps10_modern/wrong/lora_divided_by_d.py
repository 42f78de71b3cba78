"""The width of A is its number of columns."""

# replaces: answer_lora
# fails: lora
# message: the number of rows of A


def lora_forward(x, W, A, B, alpha):
    return x @ W.T + alpha / A.shape[1] * (x @ A.T @ B.T)
