"""What place 0 sees stands for all."""

# replaces: answer_reach
# fails: reach
# message: one place for all

import numpy as np


def layers_needed(mask):
    step = mask | np.eye(len(mask), dtype=bool)
    seen = np.arange(len(mask)) == 0
    for layers in range(len(mask)):
        if seen.all():
            return layers
        seen = seen @ step
    return -1
