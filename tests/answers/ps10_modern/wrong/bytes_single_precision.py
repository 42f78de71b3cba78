"""A product of float32."""

# replaces: answer_bytes
# fails: bytes
# message: expected

import numpy as np


def cache_bytes(T, layers, d_model, heads, groups, bytes_per_number):
    return np.prod(
        np.array(
            [2, T, layers, d_model // heads, groups, bytes_per_number], dtype=np.float32
        )
    )
