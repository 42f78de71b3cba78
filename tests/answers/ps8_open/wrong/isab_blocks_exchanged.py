"""First b, then a."""

# replaces: answer_isab
# fails: isab_block
# message: the two blocks are exchanged

import numpy as np


def isab(x, inducing, mab_a, mab_b):
    points = np.stack([inducing] * len(x))
    return mab_a(x, mab_b(points, x))
