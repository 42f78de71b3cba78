"""A search in the list; an array and a tuple as results."""

# replaces: answer_encode

import numpy as np


def encode(tokens, vocabulary):
    ids = np.zeros(len(tokens), dtype=np.int32)
    for place, token in enumerate(tokens):
        if token in vocabulary:
            ids[place] = vocabulary.index(token)
    return ids


# replaces: answer_decode
def decode(ids, vocabulary):
    return tuple(map(vocabulary.__getitem__, ids))
