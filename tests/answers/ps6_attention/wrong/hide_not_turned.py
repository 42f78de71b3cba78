"""The copies, but still True = look."""

# replaces: answer_hide
# fails: hide
# message: still True = look

import numpy as np


def hide_mask(look, heads):
    return np.repeat(look, heads, axis=0)
