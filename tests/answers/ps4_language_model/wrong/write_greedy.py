"""The best token is the likeliest."""

# replaces: answer_write
# fails: write
# message: always the likeliest token

import numpy as np


def write(step, prompt, uniforms, choose):
    state, written = None, []
    for token in prompt:
        scores, state = step(token, state)
    for _ in uniforms:
        written.append(int(np.argmax(scores)))
        scores, state = step(written[-1], state)
    return written
