"""The width of B is its number of rows."""

# replaces: answer_lora
# fails: lora
# message: the number of columns of B


def lora_forward(x, W, A, B, alpha):
    return x @ W.T + alpha / len(B) * (x @ A.T @ B.T)
