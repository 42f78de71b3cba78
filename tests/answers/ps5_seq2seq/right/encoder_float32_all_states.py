"""All states in float32, then the one at the end of each row is picked."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder

import numpy as np


def encode(source, E, W_x, W_h, b_h):
    E, W_x, W_h, b_h = (a.astype(np.float32) for a in (E, W_x, W_h, b_h))
    h = c = np.zeros((len(source), W_h.shape[1]), dtype=np.float32)
    states = []
    for t in range(source.shape[1]):
        h, c = lstm_step(E[source[:, t]], h, c, W_x, W_h, b_h)
        states.append((h, c))
    last = (source != PAD).sum(axis=1) - 1
    states, rows = np.array(states), np.arange(len(source))
    return states[last, 0, rows], states[last, 1, rows]
