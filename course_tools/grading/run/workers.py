"""Where jobs run: threads of this process that drive warm processes of their own."""

import concurrent.futures
import math
import os
import queue
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from types import TracebackType
from typing import Protocol, Self

from course_tools.grading.limits import SLOTS_PER_ZYGOTE, ZYGOTE_ATTEMPTS, Limits
from course_tools.grading.messages import Job, Result
from course_tools.grading.run import job, zygote_client
from course_tools.grading.run.job import Place
from course_tools.grading.run.rehearsal import Rehearsals
from course_tools.grading.run.zygote_client import ZygoteClient, ZygoteGone
from course_tools.grading.sandbox import cgroups


class Workers(Protocol):
    """What runs jobs: this machine, or a cluster."""

    count: int

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None: ...

    def submit(self, task: Job) -> "Future[Result]": ...


class LocalWorkers:
    """An executor of jobs; each worker slot has its own control group."""

    def __init__(
        self,
        count: int | None,
        limits: Limits,
        unsafe: bool = False,
        warm: Iterable[str] = (),
        rehearsals: Mapping[str, Job] | None = None,
    ) -> None:
        self.count = count or os.cpu_count() or 1
        self.limits = limits
        self.unsafe = unsafe
        self.warm = tuple(warm)
        self.rehearsals = Rehearsals(rehearsals)

    def __enter__(self) -> Self:
        cgroups.remove_stale()
        # one more than can work: its processes are made while others are at work
        slots = self.count + 1
        self.turn = threading.Semaphore(self.count)
        self.pool = concurrent.futures.ThreadPoolExecutor(slots + 1)
        zygotes = math.ceil(self.count / SLOTS_PER_ZYGOTE)
        many = bool(self.rehearsals.jobs)
        self.zygotes = [Renewable(self.unsafe, self.warm, many) for _ in range(zygotes)]
        # the first one warms up while submissions are being read
        self.pool.submit(self.zygotes[0].get)
        self.slots: queue.SimpleQueue[Slot] = queue.SimpleQueue()
        self.groups: list[cgroups.Group] = []
        for number in range(slots):
            group = cgroups.make_group(number, self.limits)
            self.groups.append(group)
            self.slots.put((number, self.zygotes[number % len(self.zygotes)], group))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        if kind is None:
            self.pool.shutdown(wait=True, cancel_futures=True)
            self.rehearsals.close()  # what they used is known to who forked them
        # after an interruption the jobs in flight are cut short
        for zygote in self.zygotes:
            zygote.close()
        self.pool.shutdown(wait=True, cancel_futures=True)
        self.rehearsals.close()
        for group in self.groups:
            group.remove()

    def submit(self, task: Job) -> "Future[Result]":
        return self.pool.submit(self._run, task)

    def _run(self, task: Job) -> Result:
        number, zygote, group = slot = self.slots.get()
        try:
            return self._run_patiently(task, zygote, number, group)
        finally:
            self.slots.put(slot)

    def _run_patiently(
        self, task: Job, renewable: "Renewable", slot: int, group: cgroups.Group
    ) -> Result:
        """If the warm process is lost meanwhile, start over with a new one."""
        left, zygote = ZYGOTE_ATTEMPTS, renewable.get()
        while True:
            left -= 1
            place = Place(zygote, slot, group, self.turn)
            try:
                prepared = self.rehearsals.prepared(task, place)
                result = job.run(task, place, prepared)
                return replace(result, remarks=self.rehearsals.remarks(task))
            except ZygoteGone:
                if not left:
                    raise
                zygote = renewable.get(lost=zygote)


class Renewable:
    """A zygote that is started when first needed and again if it was lost."""

    def __init__(self, unsafe: bool, warm: Iterable[str], many: bool) -> None:
        self.unsafe = unsafe
        self.warm = warm
        self.many = many
        self.lock = threading.Lock()
        self.current: ZygoteClient | None = None
        self.closed = False

    def get(self, lost: ZygoteClient | None = None) -> ZygoteClient:
        with self.lock:
            if self.closed:
                raise ZygoteGone("grading has been stopped")
            if self.current is None or self.current is lost:
                if lost is not None:
                    lost.close()
                self.current = None
                self.current = zygote_client.start(self.unsafe, self.warm, self.many)
            return self.current

    def close(self) -> None:
        with self.lock:
            self.closed = True
            if self.current is not None:
                self.current.close()
                self.current = None


Slot = tuple[int, Renewable, cgroups.Group]
