"""A list in place of a tuple, numbers as NumPy gives them, float32."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_greedy

import numpy as np


def greedy(next_log_p, max_length):
    words, total = [], np.float32(0)
    for _ in range(max_length):
        log_p = np.asarray(next_log_p(words), dtype=np.float32)
        words.append(np.argmax(log_p))
        total += log_p[words[-1]]
        if words[-1] == EOS:
            break
    return words, total
