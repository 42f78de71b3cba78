"""alpha scales the change."""

# replaces: answer_lora
# fails: lora
# message: alpha is not divided by r


def lora_forward(x, W, A, B, alpha):
    return x @ W.T + alpha * (x @ A.T @ B.T)
