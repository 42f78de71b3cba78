"""Token by token."""

# replaces: answer_rest


def accept_and_rest(p, q):
    pairs = list(zip(p, q, strict=True))
    accept = [1 if b <= a else a / b for a, b in pairs]
    more = [a - min(a, b) for a, b in pairs]
    return accept, [m / sum(more) for m in more] if sum(more) else list(p)
