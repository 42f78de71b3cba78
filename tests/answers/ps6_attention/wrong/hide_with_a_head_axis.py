"""An axis for the heads, as in our own layer."""

# replaces: answer_hide
# fails: hide
# message: there is no head axis

import numpy as np


def hide_mask(look, heads):
    return np.stack([~look] * heads, axis=1)
