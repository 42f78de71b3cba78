"""The end is not part of the sentence."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_sentence
# fails: sentence
# message: lengths cannot be compared

import numpy as np


def sentence_log_p(scores, target):
    z = scores - scores.max(axis=2, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=2, keepdims=True))
    chosen = np.take_along_axis(log_p, target[..., None], axis=2)[..., 0]
    return (chosen * (target > EOS)).sum(axis=1)
