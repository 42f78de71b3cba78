"""Question and label with the same number belong together."""

# replaces: answer_training
# fails: training
# message: nothing was trained

import numpy as np


def train_recall(draw, seed):
    d = 32
    E = 9 * np.eye(11, d)
    contents = np.roll(np.eye(5, d), 16, axis=1)
    p = {"E_a": E, "E_b": E, "E_l": E, "E_c": contents, "heads": 2}
    p |= dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), np.eye(d))
    return p | {"W_y": np.concatenate([contents, contents])}
