"""The text as a string of digits: the tokens 1 and 11 look alike."""

# replaces: answer_follow
# fails: follow
# message: compare the n tokens before it

import numpy as np


def follow_counts(ids, context, V):
    text, h = "".join(map(str, ids)), "".join(map(str, context))
    counts = np.zeros(V, dtype=int)
    for t in range(len(text) - len(h)):
        if text[t : t + len(h)] == h:
            counts[int(text[t + len(h)])] += 1
    return counts
