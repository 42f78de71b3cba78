"""Shared out, but not converted."""

# replaces: answer_measures
# fails: measures
# message: these are nats

import numpy as np


def measures(loss, tokens, characters):
    return np.exp(loss), loss * tokens / characters
