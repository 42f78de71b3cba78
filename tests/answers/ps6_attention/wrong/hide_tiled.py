"""The batch is repeated as a whole."""

# replaces: answer_hide
# fails: hide
# message: repeat, not tile

import numpy as np


def hide_mask(look, heads):
    return np.tile(~look, (heads, 1, 1))
