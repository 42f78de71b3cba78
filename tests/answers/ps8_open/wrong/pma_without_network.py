"""The seeds read the set itself."""

# replaces: answer_pma
# fails: pma_block
# message: the network rFF is missing

import numpy as np


def pma(x, seeds, feed, read):
    return read(np.stack([seeds] * len(x)), x)
