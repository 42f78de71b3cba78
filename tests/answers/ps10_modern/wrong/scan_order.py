"""op of the new one and the old one."""

# replaces: answer_scan
# fails: scanned, work
# message: the earlier one is the first argument


def scan(op, elements):
    parts, far = tuple(e.copy() for e in elements), 1
    while far < len(parts[0]):
        new = op(tuple(p[far:] for p in parts), tuple(p[:-far] for p in parts))
        for part, value in zip(parts, new, strict=True):
            part[far:] = value
        far *= 2
    return parts
