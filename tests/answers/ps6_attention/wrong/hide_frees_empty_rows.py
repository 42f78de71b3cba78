"""A row that hides everything gives nan in torch, so it is opened."""

# replaces: answer_hide
# fails: hide
# message: may look nowhere is True throughout

import numpy as np


def hide_mask(look, heads):
    look = look | ~look.any(axis=2, keepdims=True)
    return np.repeat(~look, heads, axis=0)
