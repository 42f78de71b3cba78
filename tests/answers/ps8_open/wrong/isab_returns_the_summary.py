"""What the points have read is the result."""

# replaces: answer_isab
# fails: isab_block
# message: the set must read it

import numpy as np


def isab(x, inducing, mab_a, mab_b):
    points = np.stack([inducing] * len(x))
    return mab_a(points, x)
