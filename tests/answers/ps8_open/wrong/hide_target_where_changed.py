"""A question is where something looks different."""

# replaces: answer_hide
# fails: targets
# message: stayed as they were have targets, too

import numpy as np


def hide_words(words, u, r, other, mask, pad):
    chosen = (u < 0.15) & (words != pad)
    new = np.where(r < 0.8, mask, np.where(r < 0.9, other, words))
    seen = np.where(chosen, new, words)
    return seen, np.where(seen != words, words, -100)
