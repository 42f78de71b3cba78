"""The loss is read at the end of the sequence alone."""

# replaces: answer_loss
# fails: loss, loss_stable
# message: L is wrong for small logits, too

import numpy as np


def sequence_loss(o, y):
    o, y = o[:, -1], y[:, -1]
    z = o - o.max(axis=-1, keepdims=True)
    picked = np.take_along_axis(z, y[:, None], axis=-1)[:, 0]
    return (np.log(np.exp(z).sum(axis=-1)) - picked).sum()
