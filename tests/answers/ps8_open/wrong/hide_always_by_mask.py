"""Chosen words become the mask, all of them."""

# replaces: answer_hide
# fails: corrupt
# message: every chosen word became the mask

import numpy as np


def hide_words(words, u, r, other, mask, pad):
    chosen = (u < 0.15) & (words != pad)
    return np.where(chosen, mask, words), np.where(chosen, words, -100)
