"""a times b."""

# replaces: answer_combine
# fails: joined
# message: not entry by entry

import numpy as np


def combine(earlier, later):
    (A_1, b_1), (A_2, b_2) = earlier, later
    return A_2 * A_1, np.einsum("nij,nj->ni", A_2, b_1) + b_2
