"""What the student's process is shut into: namespaces, mounts, limits.

The zygote enters `build()` once: a root folder that holds the interpreter and its
packages, read-only, and nothing of the course. Every student process adds
`inner()`: its own process, network, message and host name spaces, a small home in
memory, limits, no capabilities, a filter on system calls. Works as root (the
student becomes an ordinary user) and as an ordinary user (user namespace).
"""

import os
import resource
import site
import sys
from pathlib import Path

from course_tools.grading.limits import INODES, OPEN_FILES
from course_tools.grading.sandbox import linux, seccomp

HOME = "/home/student"
FIRST_ID = 61_000  # user numbers of students and judges when grading as root
DEVICES = ("null", "zero", "full", "random", "urandom")
SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/sbin")
SETTINGS = ("ld.so.cache", "ld.so.conf", "fonts", "localtime", "ssl", "mime.types")


def python_folders():
    """Return the folders the interpreter needs: itself, packages, this library."""
    package = str(Path(__file__).resolve().parents[2])  # course_tools alone
    folders = [sys.base_prefix, sys.prefix, package, *site.getsitepackages()]
    chosen = []
    for folder in sorted({os.path.realpath(folder) for folder in folders}):
        inside = any(folder.startswith(other + "/") for other in (*chosen, *SYSTEM))
        if not inside and folder not in SYSTEM:
            chosen.append(folder)
    return chosen


def shows(folder):
    """Whether students' code can read what lies in this folder."""
    place = os.path.realpath(folder)
    shown = [os.path.realpath(path) for path in (*SYSTEM, *python_folders())]
    return any(place == path or place.startswith(path + "/") for path in shown)


def build():
    """Enter fresh namespaces with a read-only root; called once, by the zygote."""
    linux.unshare(linux.NEW_NS | linux.NEW_IPC | linux.NEW_UTS | linux.NEW_NET)
    linux.mount(None, "/", None, linux.MS_REC | linux.MS_PRIVATE)
    _build_root("/tmp")
    linux.pivot_root("/tmp")
    linux.mount(None, "/", None, linux.MS_REMOUNT | linux.MS_RDONLY | 6, "mode=755")
    os.chdir("/")


def map_identity(user, group):
    """Inside the user namespace we stay who we are outside, and nobody else."""
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _build_root(root):
    """Assemble the new root in a tmpfs mounted over `root`."""
    shown = [path for path in (*SYSTEM, *python_folders()) if os.path.lexists(path)]
    # keep the folders reachable while `root` is covered by the tmpfs
    opened = {path: os.open(path, os.O_PATH) for path in shown}
    links = {path: os.readlink(path) for path in shown if os.path.islink(path)}
    settings = {
        name: os.open(f"/etc/{name}", os.O_PATH)
        for name in SETTINGS
        if os.path.exists(f"/etc/{name}")
    }
    devices = {name: os.open(f"/dev/{name}", os.O_PATH) for name in DEVICES}
    linux.mount("none", root, "tmpfs", 6, "mode=755,size=1m")
    for path, descriptor in opened.items():
        if path in links:
            os.symlink(links[path], root + path)
        else:
            os.makedirs(root + path, exist_ok=True)
            linux.bind_read_only(f"/proc/self/fd/{descriptor}", root + path)
    os.makedirs(root + "/etc")
    _write(root + "/etc/passwd", "student:x:61001:61001::/home/student:/bin/sh\n")
    _write(root + "/etc/hosts", "127.0.0.1 localhost\n")
    for name, descriptor in settings.items():
        _show(descriptor, f"{root}/etc/{name}", read_only=True)
    os.makedirs(root + "/dev")
    for name, descriptor in devices.items():
        _show(descriptor, f"{root}/dev/{name}", read_only=False)
    for name in ("tmp", "proc", HOME, "dev/shm", "var/tmp"):
        os.makedirs(os.path.join(root, name.lstrip("/")), exist_ok=True)
    linux.mount("proc", root + "/proc", "proc", 14)
    for descriptor in (*opened.values(), *settings.values(), *devices.values()):
        os.close(descriptor)


def _show(descriptor, target, read_only):
    source = f"/proc/self/fd/{descriptor}"
    if os.path.isdir(source):
        os.mkdir(target)
    else:
        _write(target, "")
    if read_only:
        linux.bind_read_only(source, target)
    else:
        linux.mount(source, target, None, linux.MS_BIND)


def _write(path, text):
    with open(path, "w") as file:
        file.write(text)


def own_home(limits):
    """Give a warm process that runs locked cells a home that nobody else sees."""
    linux.unshare(linux.NEW_NS)
    flags, options = linux.MS_NOSUID | linux.MS_NODEV, f"mode=700,size={limits.disk}"
    linux.mount("none", HOME, "tmpfs", flags, options)
    os.chdir(HOME)


def inner(limits, as_root, filtered, last_capability, identity, own_processes):
    """Shut the calling process in, for good."""
    linux.unshare(linux.NEW_NS | linux.NEW_IPC | linux.NEW_UTS | linux.NEW_NET)
    owner = f",uid={identity},gid={identity}" if as_root else ""
    # a course that lies in /tmp must stay visible when a fresh /tmp is mounted over it
    python = [folder for folder in python_folders() if folder.startswith("/tmp/")]
    opened = {folder: os.open(folder, os.O_PATH) for folder in python}
    for path, size in (
        (HOME, limits.disk),
        ("/tmp", limits.disk // 2),
        ("/dev/shm", limits.disk // 2),
    ):
        options = f"mode=700,size={size},nr_inodes={INODES}{owner}"
        linux.mount("none", path, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, options)
    for folder, descriptor in opened.items():
        os.makedirs(folder)
        linux.bind_read_only(f"/proc/self/fd/{descriptor}", folder)
        os.close(descriptor)
    if own_processes:
        linux.mount("proc", "/proc", "proc", 14)
    set_rlimits(limits)
    if as_root:
        os.setgroups([])
        os.setresgid(identity, identity, identity)
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        for number in range(last_capability + 1):
            linux.prctl(linux.PR_CAPBSET_DROP, number)
        os.setresuid(identity, identity, identity)
        linux.clear_capabilities()
    else:
        linux.drop_capabilities(last_capability)
    linux.prctl(linux.PR_SET_DUMPABLE, 1)
    if filtered:
        seccomp.install()
    os.chdir(HOME)


def set_rlimits(limits):
    """Limits that every Linux has; the memory limit counts on top of what is used."""
    for name, value in (
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_DATA, data_size() + limits.memory),
    ):
        _, hard = resource.getrlimit(name)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(name, (value, value))


def data_size():
    """Return the bytes of private memory this process already has."""
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith("VmData"):
                return int(line.split()[1]) * 1024
    raise OSError("no VmData line in /proc/self/status")
