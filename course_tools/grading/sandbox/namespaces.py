"""What the student's process is shut into: namespaces, mounts, limits.

The zygote enters `build()` once: a root folder that holds the interpreter and its
packages, read-only, and nothing of the course. Every student process calls
`shut_in()`: its own process, network, message and host name spaces, a small home in
memory, limits, no capabilities, a filter on system calls. Works as root (the
student becomes an ordinary user) and as an ordinary user (user namespace).
"""

import os
import resource
import site
import sys
from collections.abc import Iterable

from course_tools.grading.limits import INODES, OPEN_FILES, Limits
from course_tools.grading.own_code import OWN_CODE
from course_tools.grading.sandbox import linux, system_call_filter

HOME = "/home/student"
FIRST_ID = 61_000  # user numbers of students and judges when grading as root
NO_RIGHTS = linux.MS_NOSUID | linux.MS_NODEV  # what lies there can give none
PROC_FLAGS = NO_RIGHTS | linux.MS_NOEXEC
# what /proc says of the whole machine: neighbours could speak to each other by it
TELLING = (
    *("buddyinfo", "diskstats", "interrupts", "loadavg", "locks", "meminfo"),
    *("pagetypeinfo", "schedstat", "slabinfo", "softirqs", "stat", "swaps", "uptime"),
    *("vmallocinfo", "vmstat", "zoneinfo", "timer_list", "key-users"),
)
DEVICES = ("null", "zero", "full", "random", "urandom")
SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/sbin")
SETTINGS = ("ld.so.cache", "ld.so.conf", "fonts", "localtime", "ssl", "mime.types")


def python_folders() -> list[str]:
    """Return the folders the interpreter needs: itself and its packages."""
    folders = [sys.base_prefix, sys.prefix, *site.getsitepackages()]
    chosen: list[str] = []
    for folder in sorted({os.path.realpath(folder) for folder in folders}):
        inside = any(folder.startswith(other + "/") for other in (*chosen, *SYSTEM))
        if not inside and folder not in SYSTEM:
            chosen.append(folder)
    return chosen


def shows(folder: str | os.PathLike[str]) -> bool:
    """Whether students' code can read what lies in this folder."""
    place = os.path.realpath(folder)
    shown = [os.path.realpath(path) for path in (*SYSTEM, *python_folders())]
    return any(place == path or place.startswith(path + "/") for path in shown)


def build() -> None:
    """Enter fresh namespaces with a read-only root; called once, by the zygote."""
    linux.unshare(linux.NEW_NS | linux.NEW_IPC | linux.NEW_UTS | linux.NEW_NET)
    linux.mount(None, "/", None, linux.MS_REC | linux.MS_PRIVATE)
    _build_root("/tmp")
    linux.pivot_root("/tmp")
    flags = linux.MS_REMOUNT | linux.MS_RDONLY | NO_RIGHTS
    linux.mount(None, "/", None, flags, "mode=755")
    os.chdir("/")


def map_identity(user: int, group: int) -> None:
    """Inside the user namespace we stay who we are outside, and nobody else."""
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _build_root(root: str) -> None:
    """Assemble the new root in a tmpfs mounted over `root`."""
    shown = [path for path in (*SYSTEM, *python_folders()) if os.path.lexists(path)]
    # keep everything reachable while `root` is covered by the tmpfs
    links = {path: os.readlink(path) for path in shown if os.path.islink(path)}
    folders = _open(path for path in shown if path not in links)
    settings = _open(f"/etc/{name}" for name in SETTINGS)
    devices = _open(f"/dev/{name}" for name in DEVICES)
    linux.mount("none", root, "tmpfs", NO_RIGHTS, "mode=755,size=1m")
    for path, target in links.items():
        os.symlink(target, root + path)
    for name in ("etc", "dev", "tmp", "proc", HOME, "dev/shm", "var/tmp"):
        os.makedirs(os.path.join(root, name.lstrip("/")), exist_ok=True)
    _write(root + "/etc/passwd", "student:x:61001:61001::/home/student:/bin/sh\n")
    _write(root + "/etc/hosts", "127.0.0.1 localhost\n")
    for path, descriptor in {**folders, **settings}.items():
        linux.bind_read_only(*_place_for(descriptor, root + path))
    for path, descriptor in devices.items():
        linux.mount(*_place_for(descriptor, root + path), None, linux.MS_BIND)
    for path in covered(site.getsitepackages()):
        linux.mount("none", root + path, "tmpfs", NO_RIGHTS | linux.MS_RDONLY)
    mount_proc(root + "/proc")
    for descriptor in (*folders.values(), *settings.values(), *devices.values()):
        os.close(descriptor)


def covered(packages: Iterable[str]) -> list[str]:
    """Return where our own code lies if it was installed among the packages."""
    places = [os.path.join(p, name) for p in packages for name in OWN_CODE]
    return [os.path.realpath(place) for place in places if os.path.isdir(place)]


def mount_proc(target: str) -> None:
    """Mount /proc with what is about the processes there, and nothing else."""
    try:
        linux.mount("proc", target, "proc", PROC_FLAGS, "subset=pid")
    except OSError:  # Linux before 5.8
        linux.mount("proc", target, "proc", PROC_FLAGS)
        for name in TELLING:
            if os.path.exists(os.path.join(target, name)):
                linux.mount("/dev/null", f"{target}/{name}", None, linux.MS_BIND)


def _open(paths: Iterable[str]) -> dict[str, int]:
    """Return {path: descriptor} of those that are there."""
    return {p: os.open(p, os.O_PATH) for p in paths if os.path.exists(p)}


def _place_for(descriptor: int, target: str) -> tuple[str, str]:
    """Make `target` a folder or file as what is open; return both for a mount."""
    source = f"/proc/self/fd/{descriptor}"
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        _write(target, "")
    return source, target


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def own_home(limits: Limits) -> None:
    """Give a warm process that runs locked cells a home that nobody else sees."""
    linux.unshare(linux.NEW_NS)
    linux.mount("none", HOME, "tmpfs", NO_RIGHTS, f"mode=700,size={limits.disk}")
    os.chdir(HOME)


def shut_in(
    limits: Limits,
    as_root: bool,
    filtered: bool,
    last_capability: int,
    identity: int,
    own_processes: bool,
    grouped: bool = True,
) -> None:
    """Shut the calling process in, for good."""
    linux.unshare(linux.NEW_NS | linux.NEW_IPC | linux.NEW_UTS | linux.NEW_NET)
    _mount_folders(limits, f",uid={identity},gid={identity}" if as_root else "")
    if own_processes:
        mount_proc("/proc")
    set_rlimits(limits, grouped)
    if as_root:
        _become(identity, last_capability)
    else:
        linux.drop_capabilities(last_capability)
    linux.prctl(linux.PR_SET_DUMPABLE, 1)
    if filtered:
        system_call_filter.install()
    os.chdir(HOME)


def _mount_folders(limits: Limits, owner: str) -> None:
    """Mount fresh folders in memory; `owner` is an option of the mount, or empty."""
    # a course that lies in /tmp must stay visible when a fresh /tmp is mounted over it
    covered = _open(folder for folder in python_folders() if folder.startswith("/tmp/"))
    for path, size in (
        (HOME, limits.disk),
        ("/tmp", limits.disk // 2),
        ("/dev/shm", limits.disk // 2),
    ):
        options = f"mode=700,size={size},nr_inodes={INODES}{owner}"
        linux.mount("none", path, "tmpfs", NO_RIGHTS, options)
    for folder, descriptor in covered.items():
        linux.bind_read_only(*_place_for(descriptor, folder))
        os.close(descriptor)


def _become(identity: int, last_capability: int) -> None:
    """From root to an ordinary user without any capability."""
    os.setgroups([])
    os.setresgid(identity, identity, identity)
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    for number in range(last_capability + 1):
        linux.prctl(linux.PR_CAPBSET_DROP, number)
    os.setresuid(identity, identity, identity)
    linux.clear_capabilities()


def set_rlimits(limits: Limits, grouped: bool = True) -> None:
    """Limits that every Linux has; the memory limit counts on top of what is used.

    Without a control group, mappings that processes share are counted, too.
    """
    everything = resource.RLIM_INFINITY if grouped else used("VmSize") + limits.memory
    for name, value in (
        (resource.RLIMIT_AS, everything),
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_DATA, used("VmData") + limits.memory),
    ):
        _, hard = resource.getrlimit(name)
        if hard != resource.RLIM_INFINITY and value != resource.RLIM_INFINITY:
            value = min(value, hard)
        elif hard != resource.RLIM_INFINITY:
            value = hard
        resource.setrlimit(name, (value, value))


def used(field: str) -> int:
    """Return the bytes this process has: VmData is private, VmSize all there is."""
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith(field):
                return int(line.split()[1]) * 1024
    raise OSError(f"no {field} line in /proc/self/status")
