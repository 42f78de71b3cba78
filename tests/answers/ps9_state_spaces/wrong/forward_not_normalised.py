"""The joint is proportional to the belief."""

# replaces: answer_forward
# fails: forward
# message: divide by the sum

import numpy as np


def hmm_forward(pi, A, B, x):
    rows = [pi * B[:, x[0]]]
    for symbol in x[1:]:
        rows.append(rows[-1] @ A * B[:, symbol])
    return np.array(rows), np.log(rows[-1].sum())
