"""A gate lies between 0 and 1."""

# replaces: answer_gate
# fails: gate
# message: silu(z) is z sigma(z)

import numpy as np


def swiglu(x, W_gate, W_up, W_down):
    sigma = 1 / (1 + np.exp(-(x @ W_gate.T)))
    return (sigma * (x @ W_up.T)) @ W_down.T
