"""`nbgrader collect` where the exchange holds whatever students may put there."""

import getpass
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory
from traitlets.config import Config

from course_tools.grading.collect_plugin import Collect
from course_tools.grading.course import inbound
from course_tools.grading.course.course import load_config

SET = "squares"
ME = getpass.getuser()
NOW = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f} UTC"


class Class:
    """A course with an exchange; the person who runs the tests is its one student."""

    def __init__(self, folder: Path, gradebook: str, log):
        self.folder, self.gradebook, self.log = folder / "course", gradebook, log
        self.root = folder / "exchange"
        self.inbound = self.root / "maths/inbound"
        self.inbound.mkdir(parents=True)
        self.root.chmod(0o1777)
        self.submitted = self.folder / "submitted"

    def arrive(self, text: str = "answer", when: str = NOW, who: str = ME) -> Path:
        place = self.inbound / f"{who}+{SET}+{when}+random"
        place.mkdir()
        (place / "nb.ipynb").write_text(text)
        (place / "timestamp.txt").write_text("2001-01-01 00:00:00 UTC")
        (place / "submission_secret.txt").write_text("s" * 128)
        return place

    def collect(self, **options) -> str:
        config = Config()
        config.CourseDirectory.root = str(self.folder)
        config.CourseDirectory.db_url = self.gradebook
        config.CourseDirectory.course_id = "maths"
        config.CourseDirectory.assignment_id = SET
        config.Exchange.root = str(self.root)
        config.Collect.update = True
        for name, value in options.items():
            config.Collect[name] = value
        own = CourseDirectory(config=config)
        self.log.clear()
        Collect(coursedir=own, authenticator=Authenticator(), config=config).start()
        return self.log.text

    def files(self) -> dict[str, str]:
        """What was collected, without what nbgrader needs itself."""
        found = sorted(p for p in self.submitted.rglob("*") if p.suffix != ".txt")
        own = [path for path in found if path.is_file()]
        return {str(p.relative_to(self.submitted)): p.read_text() for p in own}

    def stamp(self) -> str:
        return (self.submitted / ME / SET / "timestamp.txt").read_text()


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory):
    """Made once; nothing is written into it."""
    address = f"sqlite:///{tmp_path_factory.mktemp('book')}/gradebook.db"
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", path)  # for alembic
        Gradebook(address).close()
    return address


@pytest.fixture
def room(tmp_path, gradebook, caplog):
    caplog.set_level("INFO")
    return Class(tmp_path, gradebook, caplog)


MINE = f"{ME}/{SET}/nb.ipynb"


def test_the_newest_of_a_student_is_taken_and_replaces_an_older_one(room):
    room.arrive("first", "2027-01-01 10:00:00 UTC")
    assert "1 of 1" in room.collect(believe_names=True)
    assert room.files() == {MINE: "first"}
    room.arrive("second", "2027-01-01 11:00:00 UTC")
    assert "1 of 1" in room.collect(believe_names=True)
    assert room.files() == {MINE: "second"}
    assert room.stamp() == "2027-01-01 11:00:00 UTC"
    assert "0 of 1" in room.collect(believe_names=True)


def test_nobody_hands_in_for_another(room):
    room.arrive("poison", who="ada")
    said = room.collect()
    assert f"it belongs to {ME}, not to ada" in said
    assert not room.files()
    # unless the machine has one user for all, and the instructor says so
    assert "1 of 1" in room.collect(check_owner=False)


@pytest.mark.parametrize("who", ["..", "", "a+x", "*"])
def test_odd_names_lead_nowhere(room, who):
    room.arrive("poison", who=who)
    room.collect()
    assert not room.files()
    assert not (room.folder / SET).exists()


@pytest.mark.parametrize("who", ["..", ".", "", ".replaced"])
def test_odd_names_lead_nowhere_where_owners_do_not_count(room, who):
    room.arrive("poison", who=who)
    room.collect(check_owner=False)
    assert not room.files()
    assert not (room.folder / SET).exists()


LAST = "9999-12-31 23:59:59 UTC"  # the formgrader cannot show it in a zone of the east
TIMES = ["", "yesterday", "9" * 80, "2027-13-45 99:99:99 UTC", LAST]


@pytest.mark.parametrize("when", TIMES)
def test_a_name_without_a_time_holds_up_nobody(room, when):
    room.inbound.joinpath(f"eve+{SET}+{when}+x").mkdir()
    room.inbound.joinpath(f"{ME}+{SET}+{when}+x").mkdir()
    room.arrive("mine")
    assert "left out: eve+" in room.collect()
    assert room.files() == {MINE: "mine"}


def test_no_link_is_followed_and_nothing_strange_is_read(room, tmp_path):
    solution = tmp_path / "solution.ipynb"
    solution.write_text("the solution")
    place = room.arrive()
    (place / "nb.ipynb").unlink()
    (place / "nb.ipynb").symlink_to(solution)
    (place / "folder").symlink_to(tmp_path)
    os.mkfifo(place / "pipe")
    (place / "data").mkdir()
    (place / "data/x.csv").write_text("1,2")
    said = room.collect()
    assert "nb.ipynb: no plain file" in said
    assert "pipe: no plain file" in said
    assert room.files() == {f"{ME}/{SET}/data/x.csv": "1,2"}


def test_a_link_in_place_of_the_folder_is_none(room, tmp_path):
    place = room.arrive()
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    assert "no folder that can be read" in room.collect()
    assert not room.files()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_another_owner_is_not_taken(room):
    place = room.arrive()
    (place / "theirs.txt").write_text("theirs")
    os.chown(place / "theirs.txt", 12345, 12345)
    assert "theirs.txt: no plain file" in room.collect()
    os.chown(place, 12345, 12345)
    assert "it belongs to user 12345" in room.collect()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_folder_that_is_exchanged_meanwhile_is_not_taken(room, monkeypatch):
    """Somebody else's work, moved under one's own name after the names were read."""
    place, examined = room.arrive(), inbound.examined

    def and_exchanged(path, check_owner):
        arrived = examined(path, check_owner)
        os.chown(place, 12345, -1)
        return arrived

    monkeypatch.setattr(inbound, "examined", and_exchanged)
    assert "another folder has taken its place" in room.collect()
    assert room.files() == {}


def test_what_changed_after_the_time_in_its_name_came_then(room):
    before = datetime.now(UTC).replace(tzinfo=None) - timedelta(minutes=1)
    room.arrive(when="2026-01-01 10:00:00 UTC")
    assert "this time counts" in room.collect()
    assert datetime.fromisoformat(room.stamp().removesuffix(" UTC")) > before
    assert room.stamp() != "2001-01-01 00:00:00 UTC"


def test_a_time_to_come_is_not_believed(room):
    """Or nothing that the student hands in after that would count as newer."""
    room.arrive("first", when="2099-01-01 10:00:00 UTC")
    assert "earlier than it says: this time counts" in room.collect()
    assert room.stamp() < "2099"
    room.arrive("second", when=f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f} UTC")
    room.collect()
    assert room.files() == {MINE: "second"}


def test_what_changes_while_it_is_collected_waits(room, monkeypatch):
    """Whoever sees the folder being opened could still bring a late answer."""
    notebook, examined = room.arrive("in time") / "nb.ipynb", inbound.examined

    def and_changed(path, check_owner):
        arrived, before = examined(path, check_owner), notebook.stat().st_ctime_ns
        while notebook.stat().st_ctime_ns <= before:
            notebook.write_text("late")
        return arrived

    monkeypatch.setattr(inbound, "examined", and_changed)
    assert "it has changed meanwhile; collect again" in room.collect()
    assert room.files() == {}


def test_a_file_that_is_gone_again_holds_up_nobody(room, monkeypatch):
    walk = inbound.walk

    def with_one_that_was_there(folder):
        for parent, folders, names, here in walk(folder):
            yield parent, folders, [*names, "gone"], here

    room.arrive()
    monkeypatch.setattr(inbound, "walk", with_one_that_was_there)
    assert "it changes while it is read; collect again" in room.collect()


def test_what_is_still_being_copied_waits(room):
    place = room.arrive()
    (place / "submission_secret.txt").unlink()
    assert "not complete; collect again" in room.collect()
    (place / "submission_secret.txt").write_text("s" * 128)
    room.collect()
    assert room.files() == {MINE: "answer"}


def test_sizes_and_numbers_have_limits(room, monkeypatch):
    monkeypatch.setattr(inbound, "NOTEBOOK_BYTES", 10)
    monkeypatch.setattr(inbound, "FOLDER_BYTES", 300)
    monkeypatch.setattr(inbound, "INBOUND_FILES", 20)
    place = room.arrive("x" * 11)
    (place / "a.bin").write_text("x" * 100)
    (place / "b.bin").write_text("x" * 100)
    room.collect()
    assert list(room.files()) == [f"{ME}/{SET}/a.bin"]  # after the secret's 128
    for number in range(20):
        (place / f"{number}").touch()
    assert "more than 20 files" in room.collect()


def test_all_notebooks_together_have_a_limit(room, monkeypatch):
    """A file that holds nothing but a hole takes no disk, and all its memory."""
    monkeypatch.setattr(inbound, "NOTEBOOK_BYTES", 10)
    monkeypatch.setattr(inbound, "FOLDER_BYTES", 160)
    place = room.arrive("x" * 6)
    for number in range(50):
        (place / f"x{number:02}.ipynb").write_text("x" * 6)
    said = room.collect()
    assert len(room.files()) == 160 // 6
    assert MINE in room.files()
    reason = "no plain file of the student's, or too large"
    assert said.count(reason) == 11
    assert f"{51 - 160 // 6 - 10} more files: {reason}" in said


def test_a_place_that_cannot_be_written_is_told(room):
    room.arrive()
    room.submitted.mkdir(parents=True)
    (room.submitted / ME).write_text("in the way")
    assert "left out" in room.collect()


def test_the_course_collects_by_it(project_root):
    """`nbgrader collect` and the formgrader take what the configuration names."""
    config = load_config(str(project_root))
    assert ExchangeFactory(config=config).collect is Collect
