"""A times the belief."""

# replaces: answer_forward
# fails: forward
# message: rows are what one comes from

import numpy as np


def hmm_forward(pi, A, B, x):
    belief, rows, log_p = pi, [], 0.0
    for t, symbol in enumerate(x):
        belief = A @ belief if t else belief
        belief = belief * B[:, symbol]
        log_p += np.log(belief.sum())
        belief = belief / belief.sum()
        rows.append(belief)
    return np.array(rows), log_p
