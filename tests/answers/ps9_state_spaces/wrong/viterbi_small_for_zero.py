"""A logarithm of 0 is put off by a small number."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_viterbi
# fails: viterbi
# message: this path is impossible


def viterbi(pi, A, B, x):
    pi, A, B = (np.log(np.maximum(p, 1e-12)) for p in (pi, A, B))
    scores, backs = pi + B[:, x[0]], []
    for symbol in x[1:]:
        step = scores[:, None] + A
        backs.append(step.argmax(axis=0))
        scores = step.max(axis=0) + B[:, symbol]
    path = [scores.argmax()]
    for back in backs[::-1]:
        path.append(back[path[-1]])
    return path[::-1]
