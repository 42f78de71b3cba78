"""A loss is easier to read as a perplexity."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_loss
# fails: loss
# message: its logarithm is asked for

import numpy as np


def masked_loss(scores, target):
    top = scores.max(axis=-1)
    log_z = top + np.log(np.exp(scores - top[..., None]).sum(axis=-1))
    rows, places = np.nonzero(target != PAD)
    picked = scores[rows, places, target[rows, places]]
    return np.exp((log_z[rows, places] - picked).mean())
