"""The exponential above and below."""

# replaces: answer_gate
# fails: gate
# message: not finite

import numpy as np


def swiglu(x, W_gate, W_up, W_down):
    z = x @ W_gate.T
    e = np.exp(z)
    return (z * e / (1 + e) * (x @ W_up.T)) @ W_down.T
