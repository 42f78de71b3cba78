"""True is what must be hidden."""

# replaces: answer_look
# fails: look
# message: it is turned round

import numpy as np


def look_mask(lengths, N):
    m = np.arange(N)
    future = m > m[:, None]
    padding = m >= lengths[:, None]
    return future | padding[:, None]
