"""One token, then the others."""

# replaces: answer_ahead


def pick(weights, r):
    total, so_far = sum(weights), 0.0
    for token, weight in enumerate(weights):
        so_far += weight / total
        if so_far > r:
            return token
    return len(weights) - 1


def speculate(p, q, drafts, u, r):
    if len(drafts) == 0:
        return [pick(p[0], r)]
    d = drafts[0]
    if u[0] < min(1.0, p[0][d] / q[0][d]):
        return [d, *speculate(p[1:], q[1:], drafts[1:], u[1:], r)]
    return [pick([max(0.0, a - b) for a, b in zip(p[0], q[0], strict=True)], r)]
