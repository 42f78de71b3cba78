"""Take away from this process what Python has on Linux and not on Windows.

Put into a folder as `sitecustomize.py`, it is loaded at the start of every process.
"""

import os
import select
import signal
import socket
import sys
import time

import psutil  # noqa: F401 - its Linux half needs what is taken away below

MISSING = {
    os: "fork forkpty pidfd_open wait4 WTERMSIG WIFSIGNALED "
    "O_NOFOLLOW O_NONBLOCK O_CLOEXEC pread sched_getaffinity",
    select: "poll epoll",
    signal: "SIGALRM setitimer ITIMER_REAL pidfd_send_signal",
    socket: "AF_UNIX send_fds recv_fds MSG_DONTWAIT",
    time: "clock_gettime",
}
for module, names in MISSING.items():
    for name in names.split():
        vars(module).pop(name, None)
for name in ("fcntl", "resource"):
    sys.modules[name] = None  # importing it fails
