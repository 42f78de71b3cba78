"""A chance that equals the probability is good enough."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_ahead
# fails: ahead
# message: on an edge


def speculate(p, q, drafts, u, r):
    for i, token in enumerate(drafts):
        accept, rest = accept_and_rest(p[i], q[i])
        if u[i] > accept[token]:
            break
    else:
        i, rest = len(drafts), p[-1]
    return [*drafts[:i], np.searchsorted(np.cumsum(rest), r, side="right")]
