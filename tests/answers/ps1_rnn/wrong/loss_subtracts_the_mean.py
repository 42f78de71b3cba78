"""Any number may be subtracted before exp: the mean is the middle."""

# replaces: answer_loss
# fails: loss_stable
# message: logits from -1000 to 1000

import numpy as np


def sequence_loss(o, y):
    o = o - o.mean(axis=-1, keepdims=True)
    log_sum = np.log(np.exp(o).sum(axis=-1))
    return float((log_sum - np.take_along_axis(o, y[..., None], -1)[..., 0]).sum())
