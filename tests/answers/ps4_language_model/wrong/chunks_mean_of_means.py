"""The mean of the chunks' losses."""

# replaces: answer_chunks
# fails: chunks
# message: not every chunk

import numpy as np


def loss_in_chunks(model, ids, chunk):
    x, y, losses, state = ids[:-1], ids[1:], [], None
    for a in range(0, len(x), chunk):
        scores, state = model(x[a : a + chunk], state)
        log_sum = np.log(np.exp(scores).sum(axis=1))
        target = y[a : a + chunk]
        losses.append(np.mean(log_sum - scores[np.arange(len(target)), target]))
    return np.mean(losses)
