"""A little everywhere avoids the logarithm of zero."""

# replaces: answer_forward
# fails: forward
# message: table of beliefs is off

import numpy as np


def hmm_forward(pi, A, B, x):
    A, B = A + 0.01, B + 0.01
    belief, rows, log_p = pi, [], 0.0
    for t, symbol in enumerate(x):
        belief = belief @ A if t else belief
        belief = belief * B[:, symbol]
        log_p += np.log(belief.sum())
        belief = belief / belief.sum()
        rows.append(belief)
    return np.array(rows), log_p
