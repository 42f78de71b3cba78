"""The gradient points down, towards the target: one-hot minus softmax."""

# replaces: answer_output_gradients
# fails: output_gradients
# message: softmax minus one-hot

import numpy as np


def output_gradients(o, y):
    e = np.exp(o - o.max(axis=-1, keepdims=True))
    return np.eye(o.shape[-1])[y] - e / e.sum(axis=-1, keepdims=True)
