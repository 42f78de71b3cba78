"""One token at a time is a chunk as well."""

# replaces: answer_chunks
# fails: chunks
# message: only the last may be shorter than 7

import numpy as np


def loss_in_chunks(model, ids, chunk):
    state, total = None, 0.0
    for x, y in zip(ids[:-1], ids[1:], strict=True):
        scores, state = model([int(x)], state)
        total += np.logaddexp.reduce(scores[0]) - scores[0, y]
    return total / (len(ids) - 1)
