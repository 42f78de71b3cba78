"""Where jobs run: threads of this process that drive warm processes of their own."""

import concurrent.futures
import math
import os
import queue
import threading

from course_tools.grading.limits import SLOTS_PER_ZYGOTE, ZYGOTE_ATTEMPTS
from course_tools.grading.run import job, zygote_client
from course_tools.grading.run.rehearsal import Rehearsals
from course_tools.grading.sandbox import cgroups


class LocalWorkers:
    """An executor of jobs; each worker slot has its own control group."""

    def __init__(self, count, limits, unsafe=False, warm=(), rehearsals=None):
        self.count = count or os.cpu_count() or 1
        self.limits = limits
        self.unsafe = unsafe
        self.warm = tuple(warm)
        self.rehearsals = Rehearsals(rehearsals)

    def __enter__(self):
        cgroups.remove_stale()
        # one more than can work: its processes are made while others are at work
        slots = self.count + 1
        self.turn = threading.Semaphore(self.count)
        self.pool = concurrent.futures.ThreadPoolExecutor(slots + 1)
        zygotes = math.ceil(self.count / SLOTS_PER_ZYGOTE)
        self.zygotes = [Renewable(self.unsafe, self.warm) for _ in range(zygotes)]
        # the first one warms up while submissions are being read
        self.pool.submit(self.zygotes[0].get)
        self.slots = queue.SimpleQueue()
        self.groups = []
        for slot in range(slots):
            group = cgroups.make_group(slot, self.limits)
            self.groups.append(group)
            self.slots.put((slot, self.zygotes[slot % len(self.zygotes)], group))
        return self

    def __exit__(self, error=None, *_):
        if error is None:
            self.pool.shutdown(wait=True, cancel_futures=True)
        # after an interruption the jobs in flight are cut short
        for zygote in self.zygotes:
            zygote.close()
        self.pool.shutdown(wait=True, cancel_futures=True)
        for group in self.groups:
            group.remove()

    def submit(self, task):
        return self.pool.submit(self._run, task)

    def _run(self, task):
        slot, zygote, group = self.slots.get()
        try:
            own = (zygote, slot, group)
            return run_patiently(task, *own, self.rehearsals, self.turn)
        finally:
            self.slots.put((slot, zygote, group))


class Renewable:
    """A zygote that is started when first needed and again if it was lost."""

    def __init__(self, unsafe=False, warm=()):
        self.unsafe = unsafe
        self.warm = warm
        self.lock = threading.Lock()
        self.current = None
        self.closed = False

    def get(self, lost=None):
        with self.lock:
            if self.closed:
                raise zygote_client.ZygoteGone("grading has been stopped")
            if self.current is None or self.current is lost:
                if lost is not None:
                    lost.close()
                self.current = None
                self.current = zygote_client.start(self.unsafe, self.warm)
            return self.current

    def close(self):
        with self.lock:
            self.closed = True
            if self.current is not None:
                self.current.close()
                self.current = None


def run_patiently(task, renewable, slot, group, rehearsals, turn):
    """Run a job; if the warm process is lost meanwhile, start over with a new one."""
    zygote = renewable.get()
    for left in reversed(range(ZYGOTE_ATTEMPTS)):
        try:
            prepared = rehearsals.prepared(zygote, task, slot)
            result = job.run(task, zygote, slot, group, prepared, turn)
            return dict(result, remarks=rehearsals.remarks(task))
        except zygote_client.ZygoteGone:
            if not left:
                raise
            zygote = renewable.get(lost=zygote)
    return None
