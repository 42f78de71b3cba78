"""The last word of a row and the rest of it."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_sentence

import numpy as np


def sentence_log_p(scores, target):
    def log_p(z, words):
        if not words or words[0] == PAD:
            return 0.0
        top = z[0].max()
        first = z[0][words[0]] - top - np.log(np.exp(z[0] - top).sum())
        return first + log_p(z[1:], words[1:])

    return [log_p(z, row.tolist()) for z, row in zip(scores, target, strict=True)]
