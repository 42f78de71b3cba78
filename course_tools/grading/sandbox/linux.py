"""The few Linux calls that Python 3.11 does not offer, through ctypes."""

import ctypes
import os

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
PR_SET_SECUREBITS = 28
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result, what):
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def unshare(flags):
    _checked(_libc.unshare(ctypes.c_int(flags)), f"unshare({flags:#x})")


def setns(descriptor, flags):
    _checked(_libc.setns(descriptor, ctypes.c_int(flags)), "setns")


def mount(source, target, kind=None, flags=0, options=None):
    """mount(2); texts may be None."""
    source, target, kind, options = (
        None if text is None else os.fsencode(text)
        for text in (source, target, kind, options)
    )
    result = _libc.mount(source, target, kind, ctypes.c_ulong(flags), options)
    _checked(result, f"mount({os.fsdecode(target)})")


def unmount(target):
    _checked(_libc.umount2(os.fsencode(target), MNT_DETACH), f"umount({target})")


def bind_read_only(source, target):
    """Show `source` at `target`, without write access, set-uid programs or devices."""
    mount(source, target, None, MS_BIND)
    # A user namespace may not drop flags that the mount below already has, so the
    # flags found there are kept.
    kept = os.statvfs(target).f_flag & (MS_NODEV | MS_NOEXEC | MS_NOSUID | 1024 | 2048)
    flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV
    mount(None, target, None, flags | (kept & 15))


def pivot_root(new_root):
    """Make `new_root` the root of this mount namespace and let go of the old one."""
    os.chdir(new_root)
    number = _PIVOT_ROOT[os.uname().machine]
    _checked(_libc.syscall(number, b".", b"."), "pivot_root")
    unmount(".")
    os.chdir("/")


def prctl(option, *values):
    values = [ctypes.c_ulong(value) for value in values] + [ctypes.c_ulong(0)] * 4
    return _checked(_libc.prctl(option, *values[:4]), f"prctl({option})")


def last_capability():
    with open("/proc/sys/kernel/cap_last_cap") as file:
        return int(file.read())


def drop_capabilities(last):
    """Give up every capability, for this process and all it will start."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    for number in range(last + 1):
        prctl(PR_CAPBSET_DROP, number)
    clear_capabilities()


def clear_capabilities():
    """Empty the effective, permitted and inheritable sets."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    data = (ctypes.c_uint32 * 6)()
    number = _CAPSET[os.uname().machine]
    _checked(_libc.syscall(number, header, data), "capset")


def threads():
    """Return how many threads this process has; forking is safe only with one."""
    return len(os.listdir("/proc/self/task"))
