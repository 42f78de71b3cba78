"""One signed permutation matrix for everything, float32, in a list."""

# replaces: answer_gru_to_torch

import numpy as np


def gru_to_torch(W_x, W_h, b_h, b_inner):
    turn = np.array([[0, 0, 1], [0, -1, 0], [1, 0, 0]])
    P = np.kron(turn, np.eye(len(b_inner))).astype(np.float32)
    inner = np.kron([0, 0, 1], b_inner)
    return [P @ W_x, P @ W_h, P @ b_h, inner.astype(np.float32)]
