"""Memory, process and processor limits for a student's process and all it starts.

One group per worker slot, made when grading starts and removed when it ends. Version
2 of control groups is used where its controllers are, else version 1, else
nothing: the limits that every process has (rlimits) hold in any case. The limit of
one processor core per slot is left out where there is no controller for it: it
keeps a submission that starts many processes from taking its neighbours' time.

A group belongs to the process that holds a lock on its folder, and to nobody when
that process has ended, however it ended. Numbers of processes would not tell: two
engines may share these folders, and not the space in which processes are counted.
"""

import contextlib
import fcntl
import os
import secrets
from collections.abc import Iterator

from course_tools.grading.limits import WARM_MEMORY, Limits
from course_tools.grading.sandbox.no_group import NoGroup

ROOT = "/sys/fs/cgroup"
PREFIX = "grading-"
PERIOD = 100_000  # microseconds; as much may be used in each of them: one core
CPU_V1 = ("cpu", "cpu,cpuacct")


class GroupV1:
    """One folder in each of the hierarchies `memory` and `pids`, perhaps `cpu`."""

    kind = "cgroup v1"
    one_core = False

    def __init__(self, root: str, name: str, limits: Limits) -> None:
        self.root, self.name, self.limits = root, name, limits
        self.folders: list[str] = []
        self.locks: list[int] = []  # descriptors, open as long as the group is ours
        self._build()

    def _build(self) -> None:
        """Make the folders and write the limits into them."""
        root, name, limits = self.root, self.name, self.limits
        self.memory = os.path.join(root, "memory", name)
        self.pids = os.path.join(root, "pids", name)
        self.folders = [self.memory, self.pids]
        for folder in self.folders:
            self._make(folder)
        memory = limits.memory + WARM_MEMORY  # what the warm process brings along
        _write(self.memory, "memory.limit_in_bytes", memory)
        with contextlib.suppress(OSError):
            _write(self.memory, "memory.memsw.limit_in_bytes", memory)
        _write(self.pids, "pids.max", limits.processes)
        self.one_core = any(self._use_core(root, cpu, name) for cpu in CPU_V1)
        self.kills = self._kills()

    def _use_core(self, root: str, hierarchy: str, name: str) -> bool:
        """Try to limit the processor, too; True if that worked."""
        parent = os.path.join(root, hierarchy)
        if not os.path.isdir(parent):
            return False
        folder = os.path.join(parent, name)
        try:
            self._make(folder)
            _write(folder, "cpu.cfs_period_us", PERIOD)
            _write(folder, "cpu.cfs_quota_us", PERIOD)
        except OSError:
            _remove(folder)
            return False
        self.folders.append(folder)
        return True

    def _make(self, folder: str) -> None:
        """Make a folder that no other engine takes for left over."""
        with _alone(os.path.dirname(folder)):
            os.makedirs(folder, exist_ok=True)
            lock = _locked(folder)
        if lock is None:
            raise OSError(f"{folder} belongs to another process")
        self.locks.append(lock)

    def add(self, pid: int) -> None:
        """Put a process in; a group that somebody has cleared away is made again.

        It is empty between two submissions, and so any other program that tidies
        control groups can remove it.
        """
        if not all(map(os.path.isdir, self.folders)):
            self.remove()
            self._build()
        for folder in self.folders:
            _write(folder, "cgroup.procs", pid)

    def members(self) -> list[str] | None:
        return _read(self.pids, "cgroup.procs").split()

    def _kills(self) -> int:
        return _field(_read(self.memory, "memory.oom_control"), "oom_kill")

    def out_of_memory(self) -> bool:
        """True if the kernel killed something here since the last question."""
        before, self.kills = self.kills, self._kills()
        return self.kills > before

    def remove(self) -> None:
        for folder in self.folders:
            _remove(folder)
        while self.locks:
            os.close(self.locks.pop())


class GroupV2(GroupV1):
    """One folder in the single hierarchy of version 2."""

    kind = "cgroup v2"

    def _build(self) -> None:
        limits = self.limits
        self.memory = self.pids = os.path.join(self.root, self.name)
        self.folders = [self.memory]
        self._make(self.memory)
        _write(self.memory, "memory.max", limits.memory + WARM_MEMORY)
        with contextlib.suppress(OSError):
            _write(self.memory, "memory.swap.max", 0)
        _write(self.memory, "pids.max", limits.processes)
        with contextlib.suppress(OSError):  # no such file without the controller
            if os.path.exists(os.path.join(self.memory, "cpu.max")):
                _write(self.memory, "cpu.max", f"{PERIOD} {PERIOD}")
                self.one_core = True
        self.kills = self._kills()

    def _kills(self) -> int:
        return _field(_read(self.memory, "memory.events"), "oom_kill")


Group = NoGroup | GroupV1


def make_group(slot: int | str, limits: Limits, root: str = ROOT) -> Group:
    """Return the group for one worker slot, of the best kind this machine allows."""
    name = f"{PREFIX}{secrets.token_hex(4)}-{slot}"
    for kind, folder in candidates(root):
        try:
            return kind(folder, name, limits)
        except OSError:
            continue
    return NoGroup()


def candidates(root: str) -> Iterator[tuple[type[GroupV1], str]]:
    """Yield (class, folder) for the kinds of control groups found below `root`."""
    controllers = os.path.join(root, "cgroup.subtree_control")
    if os.path.exists(controllers):
        enabled = _read(root, "cgroup.subtree_control").split()
        if "memory" in enabled and "pids" in enabled:
            yield GroupV2, root
    if all(os.access(os.path.join(root, n), os.W_OK) for n in ("memory", "pids")):
        yield GroupV1, root


def remove_stale(root: str = ROOT) -> None:
    """Remove groups of grading that nobody holds."""
    inside = [os.path.join(root, name) for name in ("memory", "pids", *CPU_V1)]
    for parent in filter(os.path.isdir, (root, *inside)):
        with contextlib.suppress(OSError), _alone(parent):
            for name in os.listdir(parent):
                if name.startswith(PREFIX):
                    _remove_unheld(os.path.join(parent, name))


def _remove_unheld(folder: str) -> None:
    lock = _locked(folder)
    if lock is not None:
        _remove(folder)
        os.close(lock)


def _locked(folder: str) -> int | None:
    """Return a descriptor by which this process holds the folder, if nobody else."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


@contextlib.contextmanager
def _alone(parent: str) -> Iterator[None]:
    """Nobody else makes or removes groups in this folder meanwhile."""
    descriptor = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _remove(folder: str) -> None:
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def _write(folder: str, name: str, value: int | str) -> None:
    with open(os.path.join(folder, name), "w") as file:
        file.write(str(value))


def _read(folder: str, name: str) -> str:
    with open(os.path.join(folder, name)) as file:
        return file.read()


def _field(text: str, name: str) -> int:
    for line in text.splitlines():
        if line.startswith(name + " "):
            return int(line.split()[1])
    return 0
