"""One function that makes a run repeatable: seeds and threads together.

Two runs with the same seed, the same number of threads and the same processor
instructions give the same bits. A second thread changes the order in which floats are
added, and late in a training run that becomes visible, so the course uses one thread.
"""

import random

import numpy as np
import torch

from course_lib import progress


def set_seed(seed: int = 0) -> np.random.Generator:
    """Seed Python, NumPy and torch, use one thread, and return a fresh NumPy generator.

    Draw from the returned generator rather than from `np.random.*`, so that a cell that
    is run twice does not silently change what the next cell sees.
    """
    progress.opened()  # the first cell of every lecture comes by here
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002  (some libraries still draw from the global one)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    return np.random.default_rng(seed)
