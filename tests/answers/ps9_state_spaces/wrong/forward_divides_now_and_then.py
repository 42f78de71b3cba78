"""A hundred steps fit into a float."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_forward
# fails: forward
# message: not finite


def hmm_forward(pi, A, B, x):
    weighed, rows, total = pi * B[:, x[0]], [], 0.0
    for t, symbol in enumerate(x):
        if t:
            weighed = (weighed @ A) * B[:, symbol]
        if t % 100 == 99:
            total += np.log(weighed.sum())
            weighed = weighed / weighed.sum()
        rows.append(weighed)
    rows = np.array(rows)
    return rows / rows.sum(axis=1, keepdims=True), total + np.log(rows[-1].sum())
