"""float32, and the norm by logaddexp."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_loss

import numpy as np


def masked_loss(scores, target):
    scores = scores.astype(np.float32)
    log_p = scores - np.logaddexp.reduce(scores, axis=2)[..., None]
    one_hot = np.eye(scores.shape[2], dtype=np.float32)[target]
    one_hot[target == PAD] = 0
    return -(np.maximum(log_p, -1e30) * one_hot).sum() / one_hot.sum()
