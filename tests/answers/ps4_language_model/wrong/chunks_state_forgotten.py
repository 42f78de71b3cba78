"""Every chunk is a text of its own."""

# replaces: answer_chunks
# fails: chunks
# message: carry the state over

import numpy as np


def loss_in_chunks(model, ids, chunk):
    x, y, losses = ids[:-1], ids[1:], []
    for a in range(0, len(x), chunk):
        scores, _ = model(x[a : a + chunk], None)
        log_sum = np.log(np.exp(scores).sum(axis=1))
        target = y[a : a + chunk]
        losses.extend(log_sum - scores[np.arange(len(target)), target])
    return np.mean(losses)
