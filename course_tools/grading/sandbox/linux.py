"""The few Linux calls that Python 3.11 does not offer, through ctypes."""

import ctypes
import os

from course_tools.grading.sandbox.system_call_numbers import number_of

NEW_NS = 0x00020000
NEW_UTS = 0x04000000
NEW_IPC = 0x08000000
NEW_USER = 0x10000000
NEW_PID = 0x20000000
NEW_NET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38

CAPABILITY_VERSION_3 = 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def unshare(flags: int) -> None:
    _checked(_libc.unshare(ctypes.c_int(flags)), f"unshare({flags:#x})")


def setns(descriptor: int, flags: int) -> None:
    _checked(_libc.setns(descriptor, ctypes.c_int(flags)), "setns")


def mount(
    source: str | None,
    target: str,
    kind: str | None = None,
    flags: int = 0,
    options: str | None = None,
) -> None:
    """mount(2)"""
    arguments = [
        None if text is None else os.fsencode(text) for text in (source, target, kind)
    ]
    data = None if options is None else os.fsencode(options)
    result = _libc.mount(*arguments, ctypes.c_ulong(flags), data)
    _checked(result, f"mount({target})")


def unmount(target: str) -> None:
    _checked(_libc.umount2(os.fsencode(target), MNT_DETACH), f"umount({target})")


def bind_read_only(source: str, target: str) -> None:
    """Show `source` at `target`, without write access, set-uid programs or devices."""
    mount(source, target, None, MS_BIND)
    # A user namespace may not drop a flag that the mount below already has.
    inherited = os.statvfs(target).f_flag & MS_NOEXEC
    flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV
    mount(None, target, None, flags | inherited)


def pivot_root(new_root: str) -> None:
    """Make `new_root` the root of this mount namespace and let go of the old one."""
    os.chdir(new_root)
    number = number_of("pivot_root")
    _checked(_libc.syscall(number, b".", b"."), "pivot_root")
    unmount(".")
    os.chdir("/")


def prctl(option: int, *values: int) -> int:
    arguments = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)]
    return _checked(_libc.prctl(option, *arguments[:4]), f"prctl({option})")


def last_capability() -> int:
    """Return the highest number of a capability that this kernel knows."""
    with open("/proc/sys/kernel/cap_last_cap") as file:
        return int(file.read())


def drop_capabilities(last: int) -> None:
    """Give up every capability, for this process and all it will start."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    for number in range(last + 1):
        prctl(PR_CAPBSET_DROP, number)
    clear_capabilities()


def clear_capabilities() -> None:
    """Empty the effective, permitted and inheritable sets."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    data = (ctypes.c_uint32 * 6)()
    _checked(_libc.syscall(number_of("capset"), header, data), "capset")


def threads() -> int:
    """Return how many threads this process has; forking is safe only with one."""
    return len(os.listdir("/proc/self/task"))
