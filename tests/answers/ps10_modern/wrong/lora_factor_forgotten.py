"""W x + B A x."""

# replaces: answer_lora
# fails: lora
# message: the factor alpha / r is missing


def lora_forward(x, W, A, B, alpha):
    return x @ W.T + x @ A.T @ B.T
