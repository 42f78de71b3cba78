"""JupyterHub's local processes, with limits that hold: memory, processes, cores.

JupyterHub's own spawner for local processes knows these settings and does nothing with
them. Here every server joins a control group of its user before it becomes that user,
and kernels and terminals are born into it. Where there are no control groups, the
limits hold for each process by itself, and for the number of processes.
"""

import contextlib
import os
import resource
from collections.abc import Callable

from jupyterhub.spawner import LocalProcessSpawner
from traitlets import Integer

from course_tools.grading.sandbox import cgroups

PERIOD = 100_000  # microseconds
NAME = "course-hub-{user}"


class LimitedSpawner(LocalProcessSpawner):
    """Sets `mem_limit`, `cpu_limit` and `processes` for all that one user runs."""

    processes = Integer(400, help="Processes and threads of one user.").tag(config=True)

    def make_preexec_fn(self, name: str) -> Callable[[], None]:
        """What a new server does as root, before it becomes its user."""
        become = super().make_preexec_fn(name)
        memory, processes = int(self.mem_limit or 0), int(self.processes)
        groups = make_groups(name, memory, processes, float(self.cpu_limit or 0))
        self.groups = groups
        if not groups:
            self.log.warning("no control groups here: limits hold process by process")

        def begin() -> None:
            for group in groups:
                with open(os.path.join(group, "cgroup.procs"), "w") as file:
                    file.write("0")
            for kind, limit in own_limits(memory, processes):
                resource.setrlimit(kind, (limit, limit))
            become()

        return begin

    def clear_state(self) -> None:
        """The server has ended; its group goes, unless something still runs in it."""
        super().clear_state()
        for group in getattr(self, "groups", []):
            with contextlib.suppress(OSError):
                os.rmdir(group)


def own_limits(memory: int, processes: int) -> list[tuple[int, int]]:
    """What every process is limited to, whatever its group allows."""
    limits = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_NPROC, processes)]
    return limits + ([(resource.RLIMIT_DATA, memory)] if memory else [])


def make_groups(
    user: str, memory: int, processes: int, cores: float, root: str = cgroups.ROOT
) -> list[str]:
    """Folders of the user's control group, of the best kind this machine allows."""
    name = NAME.format(user=user)
    for kind, place in cgroups.candidates(root):
        second = kind is cgroups.GroupV2
        wanted = second_kind(memory, processes, cores) if second else {}
        wanted = wanted or first_kind(memory, processes, cores)
        try:
            return [
                group_in(os.path.join(place, hierarchy, name), files)
                for hierarchy, files in wanted.items()
            ]
        except OSError:
            continue
    return []


def second_kind(memory: int, processes: int, cores: float) -> dict[str, dict]:
    files = {"pids.max": processes, "memory.max": memory or "max"}
    quota = f"{int(cores * PERIOD)} {PERIOD}" if cores else "max"
    return {"": {**files, "cpu.max": quota}}


def first_kind(memory: int, processes: int, cores: float) -> dict[str, dict]:
    quota = int(cores * PERIOD) if cores else -1
    return {
        "memory": {"memory.limit_in_bytes": memory or -1},
        "pids": {"pids.max": processes},
        "cpu": {"cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": quota},
    }


def group_in(folder: str, files: dict[str, int | str]) -> str:
    os.makedirs(folder, exist_ok=True)
    for name, value in files.items():
        path = os.path.join(folder, name)
        if "cpu" in name and not os.path.exists(path):
            continue  # this controller is not there everywhere
        with open(path, "r+") as file:
            file.write(str(value))
    return folder
