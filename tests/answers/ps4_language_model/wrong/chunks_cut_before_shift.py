"""First cut, then shift inside the chunk."""

# replaces: answer_chunks
# fails: chunks
# message: a prediction is lost at every cut

import numpy as np


def loss_in_chunks(model, ids, chunk):
    losses, state = [], None
    for a in range(0, len(ids), chunk):
        piece = ids[a : a + chunk]
        if len(piece) > 1:
            scores, state = model(piece[:-1], state)
            log_sum = np.log(np.exp(scores).sum(axis=1))
            losses.extend(log_sum - scores[np.arange(len(piece) - 1), piece[1:]])
    return np.mean(losses)
