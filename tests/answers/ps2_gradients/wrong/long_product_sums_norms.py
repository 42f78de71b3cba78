"""A logarithm turns products into sums."""

# replaces: answer_long_product
# fails: long_product
# message: the norms of the single factors do not multiply

import numpy as np


def log_norm(J):
    return float(sum(np.log(np.linalg.norm(step, 2)) for step in J))
