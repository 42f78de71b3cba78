"""Beyond 10 the sigmoid is flat."""

# replaces: answer_gate
# fails: gate
# message: silu(z) = z sigma(z)

import numpy as np


def swiglu(x, W_gate, W_up, W_down):
    z = x @ W_gate.T
    return (z / (1 + np.exp(-np.clip(z, -10, 10))) * (x @ W_up.T)) @ W_down.T
