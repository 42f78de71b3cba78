"""Sign times the smaller size."""

# replaces: answer_clip_value

import numpy as np


def clip_by_value(grads, m):
    return {k: np.sign(g) * np.where(abs(g) > m, m, abs(g)) for k, g in grads.items()}
