"""Every step is predict, then update."""

# replaces: answer_forward
# fails: forward
# message: do not predict there

import numpy as np


def hmm_forward(pi, A, B, x):
    belief, rows, log_p = pi, [], 0.0
    for symbol in x:
        belief = belief @ A
        belief = belief * B[:, symbol]
        log_p += np.log(belief.sum())
        belief = belief / belief.sum()
        rows.append(belief)
    return np.array(rows), log_p
