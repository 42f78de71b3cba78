"""I have a function for drawing already."""

# replaces: answer_write
# fails: write
# message: draw with the function choose that you are given

import numpy as np


def write(step, prompt, uniforms, choose):
    state, written = None, []
    for token in prompt:
        scores, state = step(token, state)
    for u in uniforms:
        p = np.exp(scores - np.max(scores))
        ends = np.cumsum(p / p.sum())
        written.append(int((ends[:-1] <= u).sum()))
        scores, state = step(written[-1], state)
    return written
