"""All factors stacked, one product of three tall arrays, single precision."""

# replaces: answer_gate_deltas

import numpy as np


def gate_deltas(gates_t, c_prev, c_t, g_h, g_c):
    v = gates_t.astype(np.float32).reshape(len(gates_t), 4, -1)
    users = np.stack([g_c, g_c, g_c, g_h], axis=1).astype(np.float32)
    others = np.stack([v[:, 2], c_prev, v[:, 0], np.tanh(c_t)], axis=1)
    slopes = v * (1 - v)
    slopes[:, 0] = (1 - v[:, 0]) * (1 + v[:, 0])
    return (users * others.astype(np.float32) * slopes).reshape(gates_t.shape)
