"""heapq, impossible words not filtered, float32."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_beam

import heapq

import numpy as np


def beam_search(next_log_p, width, max_length, alpha=0.0):
    beam = [(np.float32(0.0), ())]
    for _ in range(max_length):
        grown = []
        for total, words in beam:
            if words and words[-1] == EOS:
                grown.append((total, words))
            else:
                log_p = np.asarray(next_log_p(words), dtype=np.float32)
                grown += [(total + x, (*words, w)) for w, x in enumerate(log_p)]
        beam = heapq.nlargest(width, grown, key=lambda c: c[0] / len(c[1]) ** alpha)
    return beam[0][1], beam[0][0]
