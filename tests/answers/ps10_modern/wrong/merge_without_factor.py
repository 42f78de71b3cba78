"""W + B A."""

# replaces: answer_merge
# fails: merge
# message: the factor alpha / r is missing


def lora_merge(W, A, B, alpha):
    return W + B @ A
