"""One maximum of the whole array is enough to keep exp from overflowing."""

# replaces: answer_loss
# fails: loss_stable
# message: positions of very different size

import numpy as np


def sequence_loss(o, y):
    m = o.max()
    log_sum = m + np.log(np.exp(o - m).sum(axis=-1))
    return (log_sum - np.take_along_axis(o, y[..., None], axis=-1)[..., 0]).sum()
