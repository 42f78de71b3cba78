"""One matrix, row by row."""

# replaces: answer_lora

import numpy as np


def lora_forward(x, W, A, B, alpha):
    whole = np.array(W, dtype=float)
    for b, a in zip(B.T, A, strict=True):
        whole += alpha * np.outer(b, a) / A.shape[0]
    return [whole @ row for row in x]
