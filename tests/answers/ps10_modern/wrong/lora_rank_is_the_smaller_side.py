"""The rank is the smaller side of A."""

# replaces: answer_lora
# fails: lora
# message: number of rows of A


def lora_forward(x, W, A, B, alpha):
    return x @ W.T + alpha / min(A.shape) * (x @ A.T @ B.T)
