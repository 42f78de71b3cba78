"""Only what was accepted."""

# replaces: answer_ahead
# fails: ahead
# message: nothing is drawn


def speculate(p, q, drafts, u, r):
    tokens = []
    for i, d in enumerate(drafts):
        if u[i] < p[i, d] / q[i, d]:
            tokens.append(d)
        else:
            break
    return tokens
