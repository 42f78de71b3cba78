"""Beliefs with six digits."""

# replaces: answer_forward
# fails: forward
# message: table of beliefs is off

import numpy as np


def hmm_forward(pi, A, B, x):
    rows, total = [], 0.0
    b = pi
    for t, s in enumerate(x):
        if t:
            b = b @ A
        b = b * B[:, s]
        total += np.log(b.sum())
        b = np.round(b / b.sum(), 6)
        rows.append(b)
    return np.array(rows), total
