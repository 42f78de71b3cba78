"""// for whole numbers."""

# replaces: answer_lora
# fails: lora
# message: rounds down


def lora_forward(x, W, A, B, alpha):
    return x @ W.T + alpha // len(A) * (x @ A.T @ B.T)
