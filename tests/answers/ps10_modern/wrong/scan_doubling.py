"""Each with the one 1, 2, 4, ... before it."""

# replaces: answer_scan
# fails: work
# message: join neighbours first


def scan(op, elements):
    parts, far = tuple(e.copy() for e in elements), 1
    while far < len(parts[0]):
        new = op(tuple(p[:-far] for p in parts), tuple(p[far:] for p in parts))
        for part, value in zip(parts, new, strict=True):
            part[far:] = value
        far *= 2
    return parts
