"""x @ W."""

# replaces: answer_lora
# fails: lora
# message: the shapes do not fit


def lora_forward(x, W, A, B, alpha):
    return x @ W + alpha / len(A) * (x @ A.T @ B.T)
