"""Jobs on a Dask cluster: one warm process per worker process, started when needed.

The scheduler address is what `--scheduler` is given; Slurm and Kubernetes are reached
through dask-jobqueue and dask-kubernetes, which start such schedulers. A job is plain
data and goes to trusted machines only; the gradebook stays with the coordinator.
"""

import atexit
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self

from course_tools.errors import CommandError
from course_tools.grading.limits import (
    CLUSTER_SECONDS,
    CLUSTER_WORKER_SECONDS,
    Limits,
)
from course_tools.grading.messages import Job, Result
from course_tools.grading.run.workers import LocalWorkers

# threads, limits, without sandbox?, modules to import, rehearsals
Settings = tuple[int, Limits, bool, tuple[str, ...], Mapping[str, Job] | None]


class _Kept:
    """The warm workers of this process, and what they were made for."""

    settings: Settings | None = None
    workers: LocalWorkers | None = None
    lock = threading.Lock()


def run_here(task: Job, settings: Settings) -> Result:
    """Run a job in the process this is called in; what Dask's workers execute."""
    with _Kept.lock:
        if _Kept.workers is None or _Kept.settings != settings:
            _end()
            _Kept.workers = LocalWorkers(*settings).__enter__()
            _Kept.settings = settings
        future = _Kept.workers.submit(task)
    return future.result()


def _end() -> None:
    """End the warm workers; another run may ask for other limits, or for a sandbox."""
    workers, _Kept.workers = _Kept.workers, None
    if workers is not None:
        workers.__exit__()


atexit.register(_end)


class DaskWorkers:
    """Has the interface of LocalWorkers; the work is done by a cluster."""

    def __init__(
        self,
        address: str,
        limits: Limits,
        unsafe: bool = False,
        warm: Iterable[str] = (),
        rehearsals: Mapping[str, Job] | None = None,
    ) -> None:
        self.address = address
        self.given = (limits, unsafe, tuple(warm), rehearsals)

    def __enter__(self) -> Self:
        from distributed import Client

        try:
            self.client = Client(self.address, timeout=CLUSTER_SECONDS)
            self.client.wait_for_workers(1, timeout=CLUSTER_WORKER_SECONDS)
        except (OSError, TimeoutError) as error:
            reason = str(error).split("\n")[0]
            raise CommandError(f"no Dask cluster at {self.address}: {reason}") from None
        threads: Any = self.client.nthreads()  # of every worker
        self.settings: Settings = (max(threads.values()), *self.given)
        self.count: int = sum(threads.values())
        # a job is the same wherever and whenever it runs, so it may be run again
        self.executor = self.client.get_executor(pure=False, retries=3)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        self.executor.shutdown(wait=False)
        self.client.close()

    def submit(self, task: Job) -> "Future[Result]":
        return self.executor.submit(run_here, task, self.settings)
