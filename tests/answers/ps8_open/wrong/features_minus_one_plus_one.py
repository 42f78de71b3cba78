"""elu as torch defines it, and one more."""

# replaces: answer_features
# fails: features
# message: is not positive

import numpy as np


def elu_features(x):
    elu = np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)
    return elu + 1
