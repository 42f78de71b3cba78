"""Bits."""

# replaces: answer_forward
# fails: forward
# message: logarithm of base 2

import numpy as np


def hmm_forward(pi, A, B, x):
    belief, rows, log_p = pi, [], 0.0
    for t, symbol in enumerate(x):
        belief = belief @ A if t else belief
        belief = belief * B[:, symbol]
        log_p += np.log2(belief.sum())
        belief = belief / belief.sum()
        rows.append(belief)
    return np.array(rows), log_p
