"""Only the mask counts."""

# replaces: answer_reach
# fails: reach
# message: add the diagonal

import numpy as np


def layers_needed(mask):
    seen = np.eye(len(mask), dtype=bool)
    for layers in range(2 * len(mask)):
        if seen.all():
            return layers
        seen = mask @ seen
    return -1
