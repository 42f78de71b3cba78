"""b_2 has room."""

# replaces: answer_combine
# fails: joined
# message: changed in place: work on a copy

import numpy as np


def combine(earlier, later):
    (A_1, b_1), (A_2, b_2) = earlier, later
    b_2 += np.einsum("nij,nj->ni", A_2, b_1)
    return A_2 @ A_1, b_2
