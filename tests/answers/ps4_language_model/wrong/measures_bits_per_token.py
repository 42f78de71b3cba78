"""Bits are the loss over ln 2."""

# replaces: answer_measures
# fails: measures
# message: these are bits per token

import numpy as np


def measures(loss, tokens, characters):
    return np.exp(loss), loss / np.log(2)
