"""Norms stand before the sums, as in later Transformers."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_mab
# fails: mab_block
# message: the norm comes after the sum

import numpy as np


def mab(x, y, p):
    h = x + multi_head(p, norm(x, p["gain_1"], p["shift_1"]), y)
    n = norm(h, p["gain_2"], p["shift_2"])
    return h + np.maximum(n @ p["W_1"].T + p["b_1"], 0) @ p["W_2"].T + p["b_2"]
