"""When a submission counts as arrived; the clock is the test's."""

import json
import os

import pytest

from course_tools.grading.limits import HALF_WRITTEN_SECONDS, SETTLED_SECONDS
from course_tools.grading.run.arrivals import Arrivals, is_whole, signature

WHOLE = json.dumps({"cells": [], "nbformat": 4})


class Clock:
    """Stands still until it is told to go on."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def arrivals(clock):
    return Arrivals(clock)


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "ada"
    place.mkdir()
    return place


def look(arrivals, folder, **options):
    return bool(arrivals.look({"ada": str(folder)}, **options))


def settle(arrivals, folder, clock, seconds=2 * SETTLED_SECONDS):
    """Look, wait, look again: what is whole by then is taken."""
    first = look(arrivals, folder)
    clock.now += seconds
    return first, look(arrivals, folder)


def test_a_whole_notebook_is_taken_once_it_has_settled(arrivals, folder, clock):
    (folder / "nb.ipynb").write_text(WHOLE)
    assert settle(arrivals, folder, clock) == (False, True)
    clock.now += 100
    assert not look(arrivals, folder)


def test_what_still_changes_is_left_alone(arrivals, folder, clock):
    for number in range(5):
        (folder / "nb.ipynb").write_text(WHOLE + " " * number)
        assert settle(arrivals, folder, clock, SETTLED_SECONDS / 2) == (False, False)
    assert settle(arrivals, folder, clock) == (False, True)


def test_half_a_notebook_is_waited_for(arrivals, folder, clock):
    (folder / "nb.ipynb").write_text(WHOLE[:20])
    assert settle(arrivals, folder, clock, HALF_WRITTEN_SECONDS / 2) == (False, False)
    (folder / "nb.ipynb").write_text(WHOLE)
    assert settle(arrivals, folder, clock) == (False, True)


def test_what_stays_unreadable_is_taken_in_the_end(arrivals, folder, clock):
    (folder / "nb.ipynb").write_text("no notebook")
    assert settle(arrivals, folder, clock, HALF_WRITTEN_SECONDS) == (False, True)


def test_a_folder_without_a_notebook_waits(arrivals, folder, clock):
    (folder / "timestamp.txt").write_text("2027-01-16 08:00:00 UTC")
    assert settle(arrivals, folder, clock, 1000.0) == (False, False)


def test_a_change_is_noticed_whatever_it_is(arrivals, folder, clock):
    notebook = folder / "nb.ipynb"
    notebook.write_text(WHOLE)
    os.utime(notebook, ns=(1, 1))
    settle(arrivals, folder, clock)
    other = folder / "other"
    other.write_text(WHOLE.replace("4", "5"))  # as long, as old, and renamed
    os.utime(other, ns=(1, 1))
    os.replace(other, notebook)
    assert settle(arrivals, folder, clock) == (False, True)
    (folder / "data").mkdir()
    (folder / "data" / "table.csv").write_text("1")
    assert settle(arrivals, folder, clock) == (False, True)
    (folder / "data" / "table.csv").write_text("12")
    assert settle(arrivals, folder, clock) == (False, True)


def test_what_is_being_graded_waits(arrivals, folder, clock):
    (folder / "nb.ipynb").write_text(WHOLE)
    look(arrivals, folder)
    clock.now += 1
    assert not look(arrivals, folder, busy={"ada"})
    assert look(arrivals, folder)


def test_once_more_not_at_once(arrivals, folder, clock):
    (folder / "nb.ipynb").write_text(WHOLE)
    settle(arrivals, folder, clock)
    arrivals.again("ada", 10.0)
    assert settle(arrivals, folder, clock) == (False, False)
    clock.now += 10
    assert look(arrivals, folder)


def test_links_and_missing_folders_do_no_harm(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("/")
    assert signature(str(tmp_path / "missing")) == ()
    assert [name for name, *_ in signature(str(tmp_path))] == ["link"]
    (tmp_path / "deep.ipynb").write_text("[" * 100_000)
    assert not is_whole(str(tmp_path))
