"""Only higher scores are better."""

# replaces: answer_exposure
# fails: exposed
# message: it was not counted

import numpy as np


def exposure(scores, secret):
    rank = 1 + np.sum(scores > scores[secret])
    return np.log2(len(scores) / rank)
