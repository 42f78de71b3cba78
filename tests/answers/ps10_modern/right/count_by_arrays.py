"""An array of shapes."""

# replaces: answer_count

import numpy as np


def lora_count(shapes, r):
    shapes = np.array(shapes, dtype=float).reshape(-1, 2)
    return np.array([r * shapes.sum(), shapes.prod(axis=1).sum()]).tolist()
