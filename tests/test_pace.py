"""A slow or busy machine is allowed for; more work is not."""

import os
import subprocess
import sys
import time

import pytest
from pace import USUAL_SECONDS, Pace, Sample, fixed_work, usual_seconds


def machine(slower: float, shared: float = 1.0) -> Pace:
    """A machine with slower cores, each shared by so many processes."""
    computed = slower * USUAL_SECONDS
    return Pace([Sample(computed, shared * computed)] * 3)


@pytest.mark.parametrize("slower", [1.0, 2.0, 7.0])
def test_slow_cores_are_allowed_for_and_twice_the_work_is_not(slower):
    assert machine(slower).usual(slower * 50) == pytest.approx(50)
    assert machine(slower).usual(slower * 2 * 50) == pytest.approx(100)


def test_a_shared_core_is_allowed_for_in_what_one_waits():
    busy = machine(slower=1.0, shared=8.0)
    assert busy.usual_wait(8 * 50) == pytest.approx(50)
    assert busy.usual(50) == 50  # seconds of computing are not those of others


def test_a_fast_machine_is_given_no_credit_and_one_odd_sample_does_not_count():
    assert machine(slower=0.5).usual(50) == 50
    odd = Pace([*machine(1.0).samples, Sample(100.0, 100.0)])
    assert odd.usual(50) == 50


def test_the_seconds_of_more_work_are_more_on_whatever_machine():
    """Five pieces of the fixed work take about five times the usual seconds of one."""

    def five() -> None:
        for _ in range(5):
            fixed_work()

    assert 2.5 < usual_seconds(five) / USUAL_SECONDS < 10


def test_samples_are_taken_meanwhile_and_sleep_is_no_work(monkeypatch):
    monkeypatch.setattr("pace.PAUSE", 0.01)
    with Pace() as pace:
        while len(pace.samples) < 4:
            time.sleep(0.01)
    assert len(pace.samples) >= 5
    assert usual_seconds(lambda: time.sleep(0.5)) < 0.4


def _spin() -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", "while True: pass"])


@pytest.mark.slow
def test_it_holds_with_other_work_on_every_core():
    """Real processes that compute, four for each core."""
    others = [_spin() for _ in range(4 * (os.cpu_count() or 1))]
    try:
        with Pace() as pace:
            began, before = time.monotonic(), time.thread_time()
            for _ in range(11):
                fixed_work()
            waited = time.monotonic() - began
            computed = time.thread_time() - before
    finally:
        for other in others:
            other.kill()
            other.wait()
    assert pace.usual(computed) / USUAL_SECONDS < 2 * 11
    assert pace.usual_wait(waited) / USUAL_SECONDS < 4 * 11
