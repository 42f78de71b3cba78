"""The first layer is the one that sees itself."""

# replaces: answer_reach
# fails: reach
# message: with no layer it sees only itself

import numpy as np


def layers_needed(mask):
    step = mask | np.eye(len(mask), dtype=bool)
    seen = np.eye(len(mask), dtype=bool)
    for layers in range(1, len(mask) + 1):
        if seen.all():
            return layers
        seen = step @ seen
    return -1
