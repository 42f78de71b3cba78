"""NumPy has the stable sum of exponentials built in."""

# replaces: answer_loss

import numpy as np


def sequence_loss(o, y):
    total = np.logaddexp.reduce(o, axis=-1)
    return sum(
        total[b, t] - o[b, t, y[b, t]] for b in range(len(o)) for t in range(o.shape[1])
    )
