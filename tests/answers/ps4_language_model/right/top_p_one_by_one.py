"""Takes the largest until it is enough; single precision."""

# replaces: answer_top_p

import numpy as np


def top_p(p, threshold):
    order = sorted(range(len(p)), key=lambda i: (-p[i], i))
    kept, total = np.zeros(len(p), dtype=np.float32), 0.0
    for i in order:
        kept[i] = p[i]
        total += p[i]
        if total >= threshold:
            break
    return kept / kept.sum()
