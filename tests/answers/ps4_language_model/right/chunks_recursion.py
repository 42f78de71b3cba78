"""The rest of the text is a shorter text; single precision."""

# replaces: answer_chunks

import numpy as np


def loss_in_chunks(model, ids, chunk):
    def cost(rest, state):
        if len(rest) < 2:
            return 0.0
        x, y = rest[:-1][:chunk], rest[1:][:chunk]
        scores, state = model(list(map(int, x)), state)
        s = np.float32(scores)
        here = np.logaddexp.reduce(s, axis=1) - s[range(len(y)), y]
        return here.sum() + cost(rest[len(x) :], state)

    return cost(ids, None) / (len(ids) - 1)
