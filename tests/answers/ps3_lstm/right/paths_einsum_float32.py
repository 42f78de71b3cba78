"""Einsum in single precision."""

# replaces: answer_paths

import numpy as np


def four_paths(gates_t, o_prev, c_prev, W_h):
    gates_t, o, c, W = (v.astype(np.float32) for v in (gates_t, o_prev, c_prev, W_h))
    g, f, i, _ = np.hsplit(gates_t, 4)
    W = dict(zip("cfio", np.vsplit(W, 4), strict=True))
    left = {"f": c * f * (1 - f), "i": g * i * (1 - i), "c": i * (1 - g * g)}
    right = o / np.cosh(c) ** 2
    paths = {k: np.einsum("bi,ij,bj->bij", left[k], W[k], right) for k in left}
    return paths | {"direct": np.einsum("bi,ij->bij", f, np.eye(f.shape[1]))}
