"""What a job needs of the processes it runs in, however they are made."""

import socket
from typing import TYPE_CHECKING, Literal, Protocol

from course_tools.grading.bridge.wire import Wire
from course_tools.grading.limits import Limits
from course_tools.grading.messages import Side, Usage

if TYPE_CHECKING:
    from course_tools.grading.sandbox.cgroups import Group

Mode = Literal["root", "user", "none"]  # kinds of sandbox


class Child(Protocol):
    """A judge or a student's process."""

    bridge: socket.socket  # our end of the connection to it

    def hand_over(self, control: Wire) -> None:
        """Give the judge at the end of `control` a connection to this process."""
        ...

    def children(self) -> int:
        """Return how many processes it has started that still run."""
        ...

    def ended(self, wait: float = 0.0) -> bool:
        """Has it ended of itself (within `wait` seconds)?"""
        ...

    def end(self) -> Usage:
        """Kill it with everything it started; return what it used."""
        ...


class Processes(Protocol):
    """Who makes them: zygote_client.Forker, or plain_processes.PlainProcesses."""

    mode: Mode

    def fork(
        self, role: Side, limits: Limits, slot: int, group: "Group | None" = None
    ) -> Child:
        """Make a process; its files are still to be sent to it."""
        ...
