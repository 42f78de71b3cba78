"""A token is a small number: one byte will do."""

# replaces: answer_encode
# fails: encode
# message: a token's number is its place in the list

import numpy as np


def encode(tokens, vocabulary):
    number = {token: i for i, token in enumerate(vocabulary)}
    ids = np.array([number.get(token, 0) for token in tokens], dtype=int)
    return ids.astype(np.uint8)
