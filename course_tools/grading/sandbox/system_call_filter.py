"""A filter on system calls for the student process, as a classic BPF program.

It refuses what numerical Python never needs and attacks often do: tracing other
processes, new namespaces, mounts, kernel keys, kernel modules, raw and virtual
machine sockets; memory that no limit counts; a limit lowered so that the kernel
kills, as somebody else would; and what is shared with neighbours: locks on common
files, events on them, the state of the whole machine. Refused calls fail with EPERM;
the process goes on.
"""

import ctypes
import errno
import os
import struct

from course_tools.grading.sandbox import linux
from course_tools.grading.sandbox.system_call_numbers import number_of

ALLOW = 0x7FFF0000
FAIL = 0x00050000
PR_SET_SECCOMP = 22
FILTER_MODE = 2
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

REFUSED = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd"),
    *("unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree"),
    *("move_mount", "fsopen", "fsmount", "mount_setattr", "open_by_handle_at"),
    *("add_key", "request_key", "keyctl", "bpf", "perf_event_open", "userfaultfd"),
    *("io_uring_setup", "init_module", "finit_module", "delete_module", "kexec_load"),
    *("reboot", "swapon", "swapoff", "acct", "quotactl", "settimeofday"),
    *("clock_settime", "sethostname", "setdomainname", "setrlimit"),
    *("memfd_create", "memfd_secret", "shmget", "msgget", "mq_open"),
    *("flock", "inotify_init1", "inotify_add_watch", "fanotify_init"),
    *("sysinfo", "mincore", "preadv2", "cachestat"),
)
ALLOWED_FAMILIES = (1, 2, 10)  # unix, inet, inet6; the network namespace is empty
NEW_NAMESPACES = 0x7E020000  # the CLONE_NEW* flags

X32_CALLS = 0x40000000  # from here on: they share the architecture number of x86_64

# operations of a filter program, and where the parts of a call lie
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
THIRD_ARGUMENT = (32, 36)  # both halves of it


def _instruction(
    operation: int, value: int, if_true: int = 0, if_false: int = 0
) -> bytes:
    """Return one step; `if_true` and `if_false` say how many steps are left out."""
    return struct.pack("<HBBI", operation, if_true, if_false, value)


REFUSE = _instruction(RETURN, FAIL | errno.EPERM)


def program(machine: str) -> bytes:
    """Return the filter for one machine type, eight bytes per instruction."""
    code = [
        _instruction(LOAD, ARCHITECTURE),
        _instruction(EQUAL, ARCHITECTURES[machine], 1, 0),
        REFUSE,
        _instruction(LOAD, NUMBER),
    ]
    if machine == "x86_64":
        code += [_instruction(AT_LEAST, X32_CALLS, 0, 1), REFUSE]
    for name in REFUSED:
        code += [
            _instruction(EQUAL, number_of(name, machine), 0, 1),
            REFUSE,
        ]
    rules = (*_limit_rules(machine), *_clone_rules(machine), *_socket_rules(machine))
    return b"".join([*code, *rules])


def _limit_rules(machine: str) -> list[bytes]:
    """prlimit64 may tell a limit; given another one, it is refused."""
    low, high = THIRD_ARGUMENT
    return [
        _instruction(EQUAL, number_of("prlimit64", machine), 0, 6),
        _instruction(LOAD, low),
        _instruction(EQUAL, 0, 0, 2),
        _instruction(LOAD, high),
        _instruction(EQUAL, 0, 1, 0),
        REFUSE,
        _instruction(RETURN, ALLOW),
    ]


def _clone_rules(machine: str) -> list[bytes]:
    """clone3 hides its flags in memory: say "not there", and clone is used instead."""
    return [
        _instruction(EQUAL, number_of("clone3", machine), 0, 1),
        _instruction(RETURN, FAIL | errno.ENOSYS),
        _instruction(EQUAL, number_of("clone", machine), 0, 4),
        _instruction(LOAD, FIRST_ARGUMENT),
        _instruction(ANY_BIT, NEW_NAMESPACES, 0, 1),
        REFUSE,
        _instruction(RETURN, ALLOW),
    ]


def _socket_rules(machine: str) -> list[bytes]:
    count = len(ALLOWED_FAMILIES)
    return [
        _instruction(EQUAL, number_of("socket", machine), 0, 2 + count),
        _instruction(LOAD, FIRST_ARGUMENT),
        *(
            _instruction(EQUAL, family, count - position, 0)
            for position, family in enumerate(ALLOWED_FAMILIES)
        ),
        REFUSE,
        _instruction(RETURN, ALLOW),
    ]


def available() -> bool:
    """True where the filter can be written for this machine."""
    return os.uname().machine in ARCHITECTURES


def install() -> None:
    """Filter this process and everything it starts from here on."""
    code = program(os.uname().machine)
    buffer = ctypes.create_string_buffer(code, len(code))
    fields = struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer))
    header = ctypes.create_string_buffer(fields, len(fields))
    linux.prctl(PR_SET_SECCOMP, FILTER_MODE, ctypes.addressof(header))
