"""A model never says <pad>, so its score is left out of the softmax."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_loss
# fails: loss
# message: PAD is a score like the others

import numpy as np


def masked_loss(scores, target):
    scores = np.where(np.arange(scores.shape[2]) == PAD, -np.inf, scores)
    top = scores.max(axis=-1)
    log_z = top + np.log(np.exp(scores - top[..., None]).sum(axis=-1))
    rows, places = np.nonzero(target != PAD)
    return (log_z[rows, places] - scores[rows, places, target[rows, places]]).mean()
