"""A small number keeps the sum from being 0."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_forward
# fails: forward
# message: the table of beliefs


def hmm_forward(pi, A, B, x):
    ahead, beliefs, total = pi, [], 0.0
    for symbol in x:
        weighed = ahead * B[:, symbol] + 1e-10
        total += np.log(weighed.sum())
        beliefs.append(weighed / weighed.sum())
        ahead = beliefs[-1] @ A
    return np.array(beliefs), total
