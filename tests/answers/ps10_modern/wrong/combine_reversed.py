"""The other way round in time."""

# replaces: answer_combine
# fails: joined
# message: the later matrix stands on the left

import numpy as np


def combine(earlier, later):
    (A_1, b_1), (A_2, b_2) = earlier, later
    return A_1 @ A_2, np.einsum("nij,nj->ni", A_1, b_2) + b_1
