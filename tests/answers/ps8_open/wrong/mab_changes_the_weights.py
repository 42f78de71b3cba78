"""One head is easier to follow."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_mab
# fails: mab_block
# message: changed in place

import numpy as np


def mab(x, y, p):
    p["heads"] = 1
    h = norm(x + multi_head(p, x, y), p["gain_1"], p["shift_1"])
    fed = np.maximum(h @ p["W_1"].T + p["b_1"], 0) @ p["W_2"].T + p["b_2"]
    return norm(h + fed, p["gain_2"], p["shift_2"])
