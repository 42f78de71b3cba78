"""The likelihood is the sum of the last row, divide afterwards."""

# replaces: answer_forward
# fails: forward
# message: not finite

import numpy as np


def hmm_forward(pi, A, B, x):
    rows = [pi * B[:, x[0]]]
    for symbol in x[1:]:
        rows.append(rows[-1] @ A * B[:, symbol])
    with np.errstate(all="ignore"):
        log_p = np.log(rows[-1].sum())
        return np.array([row / row.sum() for row in rows]), log_p
