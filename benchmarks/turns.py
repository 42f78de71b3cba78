"""Two programs, one process, one thread, in turns: what counts is the ratio.

Import this before NumPy and torch: they read the number of threads when they start.
"""

import os
import time
from collections.abc import Callable

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402

Run = Callable[[], object]


def medians(pairs: list[tuple[Run, Run]], repeats: int) -> list[tuple[float, ...]]:
    """(our seconds, their seconds, ratio) for each pair, medians over the turns.

    They take turns, so that a busy moment of the machine hits both, and the clock
    counts the processor time of this process alone.
    """
    times = np.empty((repeats, len(pairs), 2))
    for turn in range(-2, repeats):  # two turns to warm up
        for number, pair in enumerate(pairs):
            for side in (0, 1) if turn % 2 else (1, 0):
                start = time.process_time()
                pair[side]()
                if turn >= 0:
                    times[turn, number, side] = time.process_time() - start
    ratio = np.median(times[..., 0] / times[..., 1], axis=0)
    ours, theirs = np.median(times, axis=0).T
    return list(zip(ours, theirs, ratio, strict=True))
