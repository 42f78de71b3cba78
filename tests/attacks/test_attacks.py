"""No point gained, nothing leaked, neighbours unharmed, nothing left behind."""

import contextlib
import json
import os
import time
from pathlib import Path

import pytest
from attacked_assignment import HONEST, MARK, SECRET, make
from attacks import ATTACKS
from made_course import grade, make_course, submit
from nbgrader.api import Gradebook

from course_tools.grading.sandbox import cgroups

SHORT = "5"


def _processes():
    """Return the processes of grading that were started here, or by nobody alive.

    Other tests may grade at the same time: their processes have a living ancestor.
    """
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and _is_grading(entry.name):
            owner = entry.name
            while _is_grading(owner):
                owner = _parent(owner)
            if owner in ("0", "1", str(os.getpid())):
                found.append(entry.name)
    return found


def _is_grading(pid):
    try:
        line = Path("/proc", pid, "cmdline").read_bytes()
    except OSError:
        return False
    return (
        b"course_tools.grading.zygote.zygote" in line
        or b"course_tools.grading.pages.page" in line
    )


def _parent(pid):
    try:
        status = Path("/proc", pid, "status").read_text()
    except OSError:
        return "0"
    return status.partition("PPid:")[2].split()[0]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attacked")
    make_course(folder, "set", {"problem": make()})
    for number, attack in enumerate(ATTACKS):
        # an honest student and an empty submission between the attackers
        if number % 10 == 0:
            submit(folder, "set", "problem", f"honest{number:02}", HONEST)
            submit(folder, "set", "problem", f"nothing{number:02}")
        answers = {"double": attack.double, "norm": attack.norm}
        submit(
            folder, "set", "problem", attack.name, answers, attack.change, attack.files
        )
    before, watched, groups = _processes(), _listing(folder), _groups()
    result = grade(folder, "set", "--timeout", SHORT)
    assert result.code == 0, result.errors
    result.folder, result.before, result.watched = folder, before, watched
    result.groups = groups
    return result


def _listing(folder):
    """Return the content of all files that grading has no business to touch."""
    found = {}
    for top in ("source", "release", "submitted"):
        for path in (folder / top).rglob("*"):
            if path.is_file() and not path.is_symlink():
                found[str(path)] = path.read_bytes()
    return found


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack(run, attack):
    row = run.rows[attack.name]
    assert row["score"] == attack.score, row
    words = json.dumps(row["incidents"]) + json.dumps(row["questions"])
    assert attack.said in words, words
    path = run.folder / "autograded" / attack.name / "set" / "problem.ipynb"
    if attack.shown:
        assert attack.shown in _outputs(path)


def _outputs(path):
    """Return everything the student's cells showed, as text."""
    cells = json.loads(path.read_text())["cells"]
    return json.dumps([cell.get("outputs") for cell in cells]).replace('\\"', '"')


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_gradebook_holds_the_same_score(run, attack):
    with Gradebook(f"sqlite:///{run.folder}/gradebook.db") as gradebook:
        found = gradebook.find_submission("set", attack.name)
        assert found.score == attack.score
        assert found.max_score == 10


def test_feedback_tells_nothing_of_hidden_tests(run):
    pages = list((run.folder / "feedback").rglob("*.html"))
    assert len(pages) > 60
    for page in pages:
        text = page.read_text()
        if page.parts[-3] != "guess-a-name":  # there it is the student's own word
            assert MARK not in text, page
        assert str(SECRET) not in text, page
        assert str(2 * SECRET) not in text, page


def test_pages_run_no_scripts_of_students(run):
    for kind in ("autograded", "feedback"):
        for path in (run.folder / kind / "scripts-in-output").rglob("problem.*"):
            shown = path.read_text() if kind == "feedback" else _outputs(path)
            assert "<script>alert('zq')" not in shown
            assert "<img src=x" not in shown


def test_honest_neighbours_have_full_marks_and_no_incidents(run):
    honest = [row for name, row in run.rows.items() if name.startswith("honest")]
    assert len(honest) >= 7
    for row in honest:
        assert row["score"] == 10.0, row
        assert row["incidents"] == []
        assert {question["status"] for question in row["questions"]} == {"passed"}


def test_empty_neighbours_have_nothing(run):
    for name, row in run.rows.items():
        if name.startswith("nothing"):
            assert row["score"] == 0.0


def test_every_submission_has_a_row(run):
    submitted = sorted(os.listdir(run.folder / "submitted"))
    assert sorted(run.rows) == submitted


def test_nothing_is_left_behind(run):
    deadline = time.monotonic() + 120
    while _processes() != run.before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _processes() == run.before
    assert not list(Path("/tmp").glob("left_behind*"))
    assert not list(Path("/dev/shm").glob("left_behind*"))
    assert _groups() <= run.groups


def _groups():
    """The control groups of grading that nobody holds: others may grade now, too."""
    parents = [Path("/sys/fs/cgroup", kind) for kind in ("memory", "pids", "cpu", ".")]
    unheld = set()
    for folder in [path for parent in parents for path in parent.glob("grading-*")]:
        with contextlib.suppress(OSError):
            lock = cgroups._locked(str(folder))
            if lock is not None:
                os.close(lock)
                unheld.add(str(folder))
    return unheld


def test_submissions_and_source_are_untouched(run):
    assert _listing(run.folder) == run.watched
