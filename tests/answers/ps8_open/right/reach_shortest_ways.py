"""Floyd and Warshall: the longest of the shortest ways."""

# replaces: answer_reach

import numpy as np


def layers_needed(mask):
    N = len(mask)
    steps = np.where(mask, 1.0, np.inf)
    np.fill_diagonal(steps, 0.0)
    for via in range(N):
        steps = np.minimum(steps, steps[:, via, None] + steps[via])
    return -1 if np.isinf(steps.max()) else int(steps.max())
