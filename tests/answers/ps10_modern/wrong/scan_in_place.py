"""The elements have room for the results."""

# replaces: answer_scan
# fails: scanned, work
# message: changed in place


def scan(op, elements):
    parts, far = elements, 1
    while far < len(parts[0]):
        new = op(tuple(p[:-far] for p in parts), tuple(p[far:] for p in parts))
        for part, value in zip(parts, new, strict=True):
            part[far:] = value
        far *= 2
    return parts
