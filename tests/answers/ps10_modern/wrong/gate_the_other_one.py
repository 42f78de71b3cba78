"""The gate is the second product."""

# replaces: answer_gate
# fails: gate
# message: silu acts on the gate

import numpy as np


def swiglu(x, W_gate, W_up, W_down):
    up = x @ W_up.T
    return (x @ W_gate.T * up * (0.5 + 0.5 * np.tanh(up / 2))) @ W_down.T
