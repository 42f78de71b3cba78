"""How fast this machine computes right now, so that no test fails because it is busy.

A core that is shared counts slower seconds of its own, and another machine may have
slower cores.  So a fixed piece of work is done beside what is measured: where that
takes twice as long as usual, all else may, too.
"""

import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

import numpy as np

# What `fixed_work` takes on a core of the machine for which budgets are stated: the
# least of many samples, for other work beside it can only add to them.
USUAL_SECONDS = 0.062
PAUSE = 5.0  # seconds between two samples: they take a fiftieth of a core


@dataclass(frozen=True)
class Sample:
    """Seconds of computing, and seconds that passed, for one piece of fixed work."""

    computed: float
    waited: float


def fixed_work() -> None:
    """Products of small matrices, the interpreter, and reads all over the memory."""
    rng = np.random.default_rng(7)
    weights, inputs = rng.normal(size=(61, 61)) / 8, rng.normal(size=(31, 61))
    order = rng.permutation(499_979)
    values, state, counts = order * 0.5, np.zeros_like(inputs), {}
    for step in range(3001):
        state = np.tanh(state @ weights + inputs)
        for key in range(41):
            counts[key] = counts.get(key, 0) + step
        if step % 401 == 0:
            values = values[order]


def sample() -> Sample:
    began, before = time.monotonic(), time.thread_time()
    fixed_work()
    return Sample(time.thread_time() - before, time.monotonic() - began)


@dataclass
class Pace:
    """Samples taken before, while and after something else is done.

    with Pace() as pace:
        ...
    assert pace.usual(seconds_of_computing) < budget
    """

    samples: list[Sample] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._take)
        self.samples.append(sample())
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self.samples.append(sample())

    def _take(self) -> None:
        while not self._over.wait(PAUSE):
            self.samples.append(sample())

    def usual(self, computed: float) -> float:
        """Seconds of computing that the same would take on the usual machine."""
        return computed / self._slower([each.computed for each in self.samples])

    def usual_wait(self, waited: float) -> float:
        """Seconds that it would take if the machine had nothing else to do."""
        return waited / self._slower([each.waited for each in self.samples])

    @staticmethod
    def _slower(seconds: list[float]) -> float:
        """How many times slower than usual; a fast machine is given no credit."""
        return max(1.0, statistics.median(seconds) / USUAL_SECONDS)


def usual_seconds(action: Callable[[], object]) -> float:
    """Seconds of computing of an action, as on the usual machine."""
    with Pace() as pace:
        before = time.thread_time()
        action()
        computed = time.thread_time() - before
    return pace.usual(computed)
