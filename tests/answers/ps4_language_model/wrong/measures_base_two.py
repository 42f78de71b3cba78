"""Perplexity is two to the loss."""

# replaces: answer_measures
# fails: measures
# message: the base is e, not 2

import numpy as np


def measures(loss, tokens, characters):
    return 2**loss, loss * tokens / characters / np.log(2)
