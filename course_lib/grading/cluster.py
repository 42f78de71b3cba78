"""Jobs on a Dask cluster: one warm process per worker process, started when needed.

The scheduler address is what `--scheduler` is given; Slurm and Kubernetes are reached
through dask-jobqueue and dask-kubernetes, which start such schedulers. A job is plain
data and goes to trusted machines only; the gradebook stays with the coordinator.
"""

import atexit
import threading

from course_lib.grading.workers import LocalWorkers

_local = {}
_lock = threading.Lock()


def run_here(task, limits, unsafe, warm, threads):
    """Run a job in the process this is called in; what Dask's workers execute."""
    with _lock:
        if "workers" not in _local:
            workers = LocalWorkers(threads, limits, unsafe, warm).__enter__()
            _local["workers"] = workers
            atexit.register(workers.__exit__)
    return _local["workers"].submit(task).result()


class DaskWorkers:
    """Has the interface of LocalWorkers; the work is done by a cluster."""

    def __init__(self, address, limits, unsafe=False, warm=()):
        self.address = address
        self.settings = (limits, unsafe, tuple(warm))

    def __enter__(self):
        from distributed import Client

        self.client = Client(self.address, timeout="30s")
        self.client.wait_for_workers(1, timeout=60)
        self.threads = max(self.client.nthreads().values())
        self.count = sum(self.client.nthreads().values())
        # a job is the same wherever and whenever it runs, so it may be run again
        self.executor = self.client.get_executor(pure=False, retries=3)
        return self

    def __exit__(self, *_):
        self.executor.shutdown(wait=False)
        self.client.close()

    def submit(self, task):
        return self.executor.submit(run_here, task, *self.settings, self.threads)
