"""h_0 is a constant, and constants have no gradient."""

# replaces: answer_input_gradients
# fails: initial_gradient
# message: its gradient is not zero

import numpy as np


def input_gradients(delta, W_h, W_x):
    return delta @ W_x, np.zeros((len(delta), len(W_h)))
