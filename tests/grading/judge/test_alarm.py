"""The alarm of a test cell rings in the main thread, by either kind of clock."""

import signal
import subprocess
import sys
import time

import pytest

from course_tools.grading.judge import alarm
from course_tools.grading.limits import ALARM_GRACE_SECONDS

LONG = 60.0


@pytest.fixture(params=[alarm.SystemTimer, alarm.ThreadTimer])
def clock(request):
    """Chosen for the test; the signals of pytest are put back."""
    numbers = (signal.SIGALRM, signal.SIGINT)
    handlers = [signal.getsignal(number) for number in numbers]
    alarm.use(request.param())
    yield
    alarm.stop()
    alarm.use(alarm.SystemTimer())
    for number, handler in zip(numbers, handlers, strict=True):
        signal.signal(number, handler)


def busy(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_it_ends_what_takes_too_long(clock):
    alarm.ring_after(0.1 - ALARM_GRACE_SECONDS)
    with pytest.raises(alarm.OutOfTime, match="took longer than"):
        busy(LONG)


def test_stopped_in_time_it_does_not_ring(clock):
    alarm.ring_after(0.3 - ALARM_GRACE_SECONDS)
    alarm.stop()
    busy(0.5)


DEAF = """
from course_tools.grading.judge import alarm
alarm.STUCK_SECONDS = 0.1
alarm.ring_after(0.1 - alarm.ALARM_GRACE_SECONDS)
sum(range(10**12))
"""


def test_what_hears_no_alarm_is_ended_by_the_system():
    """A range is data, and its sum is reckoned in C, where no handler is called."""
    words = [sys.executable, "-P", "-c", DEAF]
    done = subprocess.run(words, capture_output=True, check=False, timeout=LONG)
    assert done.returncode == -signal.SIGPROF


def test_a_clock_that_is_stopped_ends_nobody():
    alarm.ring_after(LONG)
    assert signal.getitimer(signal.ITIMER_PROF)[0] > LONG
    alarm.stop()
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0
