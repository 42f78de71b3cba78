"""Which protections this machine offers; `./course doctor` shows them.

Run as a program, this module tries one kind of sandbox on itself, without importing
anything heavy: it goes through the same steps as a student's process.
"""

import os
import signal
import subprocess
import sys
from typing import NoReturn

from course_tools.grading.limits import PROBE_SECONDS, Limits
from course_tools.grading.run import zygote_client
from course_tools.grading.sandbox import cgroups, linux, namespaces, system_call_filter

Protection = tuple[str, bool, str]  # name, is it active, what is there


def protections() -> list[Protection]:
    """Return [(name, is it active, what was found)] for this machine and user."""
    filtered = system_call_filter.available()
    machine = os.uname().machine
    group = cgroups.make_group("probe", Limits())
    cores = "one core each" if group.one_core else "no limit of processor cores"
    group.remove()
    return [
        _sandbox(),
        ("system call filter", filtered, "seccomp" if filtered else machine),
        ("memory and process limits", True, f"{group.kind}, {cores}"),
    ]


def _sandbox() -> Protection:
    """Try the kinds of sandbox, the better one first."""
    reason = ""
    for mode in zygote_client.modes():
        works, reason = try_sandbox(mode)
        if works:
            kind = {"root": "as root", "user": "user namespace"}[mode]
            return "sandbox", True, kind
    return "sandbox", False, reason


def try_sandbox(mode: str) -> tuple[bool, str]:
    """Return (does it work, the reason if not) for one way to make a sandbox."""
    filtered = "filtered" if system_call_filter.available() else "open"
    process = subprocess.run(
        [
            sys.executable,
            "-P",
            "-m",
            "course_tools.grading.protections",
            mode,
            filtered,
        ],
        env=zygote_client.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PROBE_SECONDS,
    )
    lines = process.stderr.strip().splitlines()
    return process.returncode == 0, lines[-1] if lines else "no reason given"


def _try(mode: str, filtered: bool) -> NoReturn:
    """Become a sandboxed process; raises OSError where the machine refuses."""
    from course_tools.grading.zygote import zygote

    zygote.enter(mode)
    last = linux.last_capability()
    namespaces.build()
    linux.unshare(linux.NEW_PID)
    child = os.fork()
    if child == 0:
        try:
            linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
            namespaces.shut_in(
                Limits(), mode == "root", filtered, last, namespaces.FIRST_ID, True
            )
            os._exit(0)
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(1)
    _, status = os.waitpid(child, 0)
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    try:
        _try(sys.argv[1], sys.argv[2] == "filtered")
    except OSError as error:
        sys.exit(f"{type(error).__name__}: {error}")
