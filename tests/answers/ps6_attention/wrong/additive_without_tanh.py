"""A dot product with w of the sum."""

# replaces: answer_additive
# fails: additive
# message: the tanh is missing


def additive_scores(s, f, W_q, W_k, w):
    return ((s @ W_q.T)[:, None] + f @ W_k.T) @ w
