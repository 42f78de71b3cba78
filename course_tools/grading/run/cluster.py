"""Jobs on a Dask cluster: one warm process per worker process, started when needed.

The scheduler address is what `--scheduler` is given; Slurm and Kubernetes are reached
through dask-jobqueue and dask-kubernetes, which start such schedulers. A job is plain
data and goes to trusted machines only; the gradebook stays with the coordinator.
"""

import atexit
import threading

from course_tools.errors import CommandError
from course_tools.grading.limits import CLUSTER_SECONDS, CLUSTER_WORKER_SECONDS
from course_tools.grading.run.workers import LocalWorkers

_kept = {}  # the settings and the warm workers of this process
_lock = threading.Lock()


def run_here(task, *settings):
    """Run a job in the process this is called in; what Dask's workers execute."""
    with _lock:
        if _kept.get("settings") != settings:
            _end()
            _kept["workers"] = LocalWorkers(*settings).__enter__()
            _kept["settings"] = settings
        future = _kept["workers"].submit(task)
    return future.result()


def _end():
    """End the warm workers; another run may ask for other limits, or for a sandbox."""
    if workers := _kept.pop("workers", None):
        workers.__exit__()


atexit.register(_end)


class DaskWorkers:
    """Has the interface of LocalWorkers; the work is done by a cluster."""

    def __init__(self, address, limits, unsafe=False, warm=(), rehearsals=None):
        self.address = address
        self.settings = (limits, unsafe, tuple(warm), rehearsals)

    def __enter__(self):
        from distributed import Client

        try:
            self.client = Client(self.address, timeout=CLUSTER_SECONDS)
            self.client.wait_for_workers(1, timeout=CLUSTER_WORKER_SECONDS)
        except (OSError, TimeoutError) as error:
            reason = str(error).split("\n")[0]
            raise CommandError(f"no Dask cluster at {self.address}: {reason}") from None
        threads = max(self.client.nthreads().values())
        self.settings = (threads, *self.settings)
        self.count = sum(self.client.nthreads().values())
        # a job is the same wherever and whenever it runs, so it may be run again
        self.executor = self.client.get_executor(pure=False, retries=3)
        return self

    def __exit__(self, *_):
        self.executor.shutdown(wait=False)
        self.client.close()

    def submit(self, task):
        return self.executor.submit(run_here, task, *self.settings)
