"""One maximum for all positions: those far below it become 0/0."""

# replaces: answer_output_gradients
# fails: output_gradients
# message: safe for large logits

import numpy as np


def output_gradients(o, y):
    weight = np.exp(o - o.max())
    return weight / weight.sum(axis=-1, keepdims=True) - np.eye(o.shape[-1])[y]
