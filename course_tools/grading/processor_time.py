"""Seconds of the processor that another process has used, by the system's figures."""

import contextlib
import time

clock = getattr(time, "clock_gettime", None)  # not on Windows


def seconds_of(process: int) -> float:
    """Return them, or 0 if the process has ended."""
    if clock is not None:
        with contextlib.suppress(OSError):
            return clock((~process << 3) | 2)  # as Linux numbers it; not on macOS
    import psutil

    with contextlib.suppress(psutil.Error):
        used = psutil.Process(process).cpu_times()
        return used.user + used.system
    return 0.0
