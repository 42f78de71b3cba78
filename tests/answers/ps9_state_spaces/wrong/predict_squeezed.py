"""No superfluous axes."""

# replaces: answer_predict
# fails: predict
# message: expected

import numpy as np


def predict(m, P, A, Q):
    return A @ m, np.squeeze(A @ P @ A.T + Q)
