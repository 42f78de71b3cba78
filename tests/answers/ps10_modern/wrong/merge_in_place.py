"""W += saves memory."""

# replaces: answer_merge
# fails: merge
# message: changed in place


def lora_merge(W, A, B, alpha):
    W += alpha / len(A) * B @ A
    return W
