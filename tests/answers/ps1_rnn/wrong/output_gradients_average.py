"""Every gradient is divided by the number of examples."""

# replaces: answer_output_gradients
# fails: output_gradients
# message: do not average

import numpy as np


def output_gradients(o, y):
    e = np.exp(o - o.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    return (p - np.eye(o.shape[-1])[y]) / len(o)
