"""The logits are not needed any more, so their memory can be used again."""

# replaces: answer_output_gradients
# fails: output_gradients
# message: changed in place

import numpy as np


def output_gradients(o, y):
    o -= o.max(axis=-1, keepdims=True)
    np.exp(o, out=o)
    o /= o.sum(axis=-1, keepdims=True)
    return o - np.eye(o.shape[-1])[y]
