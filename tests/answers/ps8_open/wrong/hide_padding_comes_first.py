"""Padding has the smallest number."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_hide
# fails: corrupt, targets
# message: is off by


def hide_words(words, u, r, other, mask, pad):
    chosen = (u < 0.15) & (words > pad)
    seen = np.where(chosen & (r < 0.9), other, words)
    return np.where(chosen & (r < 0.8), mask, seen), np.where(chosen, words, -100)
