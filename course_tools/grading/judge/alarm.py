"""The alarm that ends a test cell when the time of its question is over."""

import _thread
import signal
import threading
from typing import Protocol

from course_tools.grading.limits import ALARM_GRACE_SECONDS, STUCK_SECONDS


class OutOfTime(BaseException):
    """The question's time is over; not an Exception, so that tests cannot catch it."""


class Clock(Protocol):
    """What raises the signal `number` in the main thread, after some seconds."""

    number: signal.Signals

    def set(self, seconds: float) -> None: ...

    def stop(self) -> None: ...


class SystemTimer:
    """The timer of the system: no thread, so that the process can still fork.

    A second one counts the processor's time and ends the process: what was written in
    C (`sum` of a range without end that a student returned) hears no alarm.
    """

    def __init__(self) -> None:
        self.number = signal.SIGALRM

    def set(self, seconds: float) -> None:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        signal.setitimer(signal.ITIMER_PROF, 2 * seconds + STUCK_SECONDS)

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)


class ThreadTimer:
    """A thread that waits: the only way that Windows has, too."""

    def __init__(self) -> None:
        self.number = signal.SIGINT
        self.thread: threading.Timer | None = None

    def set(self, seconds: float) -> None:
        self.stop()
        self.thread = threading.Timer(seconds, _thread.interrupt_main, [self.number])
        self.thread.daemon = True
        self.thread.start()

    def stop(self) -> None:
        if self.thread is not None:
            self.thread.cancel()
            self.thread = None


_clock: list[Clock] = []


def use(clock: Clock) -> None:
    """Choose the clock of this process."""
    _clock[:] = [clock]


def ring_after(seconds: float) -> None:
    """Raise OutOfTime in the main thread when `seconds` and a moment have passed."""

    def ring(*_: object) -> None:
        raise OutOfTime(f"the question took longer than {seconds:g} s")

    if not _clock:
        use(SystemTimer())
    signal.signal(_clock[0].number, ring)
    _clock[0].set(seconds + ALARM_GRACE_SECONDS)


def stop() -> None:
    _clock[0].stop()
