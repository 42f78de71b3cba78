"""Too large means larger than m."""

# replaces: answer_clip_value
# fails: clip_value
# message: the lower end is missing

import numpy as np


def clip_by_value(grads, m):
    return {k: np.minimum(g, m) for k, g in grads.items()}
