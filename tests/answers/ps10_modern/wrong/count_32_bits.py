"""A sum of 32-bit integers."""

# replaces: answer_count
# fails: count
# message: all W

import numpy as np


def lora_count(shapes, r):
    s = np.array(shapes, dtype=np.int32).reshape(-1, 2)
    return r * s.sum(), (s[:, 0] * s[:, 1]).sum(dtype=np.int32)
