"""What the instructor is told: rows, last lines, exports, and where a run goes on."""

import io
import json
import os
import shutil
import signal
import stat
from dataclasses import replace

import pytest
from made_course import cell, course, grade, make_course, notebook, submit
from nbgrader.api import Gradebook
from sqlalchemy.exc import DataError
from square_problem import ABS, RIGHT, export, problem

from course_tools.grading.course import find_submissions, gradebook, registration
from course_tools.grading.course.course import Course
from course_tools.grading.messages import Question, Row
from course_tools.grading.run import job, writer
from course_tools.grading.run.progress import Progress
from course_tools.grading.run.report import Report

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    made = tmp_path_factory.mktemp("template") / "course"
    return make_course(made, "set1", {"problem": problem()})


@pytest.fixture
def folder(template, tmp_path):
    return shutil.copytree(template, tmp_path / "course")


def book(folder):
    return Gradebook(f"sqlite:///{folder}/gradebook.db")


def mark(folder, student, question, points):
    with book(folder) as found:
        grade = found.find_grade(question, "problem", "set1", student)
        grade.manual_score, grade.needs_manual_grade = points, False
        found.db.commit()


def shown(folder, *words):
    """Run `course grade`; return what it prints."""
    result = course("grade", "set1", "--course", folder, *words)
    assert result.code == 0, result.errors
    return result.text


def change_source(folder, change):
    path = folder / "source" / "set1" / "problem.ipynb"
    made = json.loads(path.read_text())
    change(made["cells"])
    path.write_text(json.dumps(made))


# ---- tests that were changed ----


def test_a_changed_test_counts_at_once(folder):
    submit(folder, "set1", "problem", "ada", RIGHT)
    submit(folder, "set1", "problem", "bob", ABS)
    assert grade(folder, "set1").rows["bob"]["score"] == 2.5
    mark(folder, "bob", "essay", 3.0)

    def milder(cells):
        cells[3]["source"] = "assert square(3) == 9"
        cells[5]["metadata"]["nbgrader"]["points"] = 2

    change_source(folder, milder)
    again = grade(folder, "set1")
    scores = {name: row["score"] for name, row in again.rows.items()}
    assert scores == {"ada": 5.5, "bob": 5.5 + 3.0}
    assert again.rows["ada"]["max_score"] == 11.0
    assert "2 already graded" in shown(folder)


def test_cells_cannot_come_and_go_once_there_are_submissions(folder):
    submit(folder, "set1", "problem", "ada", RIGHT)
    grade(folder, "set1")
    change_source(folder, lambda cells: cells.append(cell("test", "new", "1", 1)))
    result = grade(folder, "set1")
    assert result.code == 1
    (line,) = result.errors.splitlines()
    assert line == (
        "course: set1 cannot be read into the gradebook: Cannot add or remove cells "
        "for notebook 'problem' because there are submissions associated with it; undo "
        "that change, or give up all scores and marks of the set with: nbgrader db "
        "assignment remove set1 --force"
    )


def test_another_language_is_refused(tmp_path):
    made = notebook(cell("test", "t", "stopifnot(TRUE)", 1))
    made.metadata["kernelspec"] = {"name": "ir", "display_name": "R", "language": "R"}
    folder = make_course(tmp_path / "course", "set1", {"problem": made})
    submit(folder, "set1", "problem", "ada")
    result = grade(folder, "set1")
    assert result.errors == "course: problem is written in R, not in Python\n"


# ---- scores ----


def test_marks_and_penalties_are_the_same_everywhere(tmp_path):
    config = "c.LateSubmissionPlugin.penalty_method = 'zero'\n"
    folder = make_course(tmp_path / "late", "set1", {"problem": problem()}, config)
    with book(folder) as found:
        found.update_or_create_assignment("set1", duedate="2020-01-01 00:00:00 UTC")
    stamp = {"timestamp.txt": b"2020-01-02 12:00:00 UTC"}
    late = {**RIGHT, "essay": "Because."}
    submit(folder, "set1", "problem", "late", late, files=stamp)
    submit(folder, "set1", "problem", "bob", ABS)
    first = grade(folder, "set1").rows
    assert (first["late"]["score"], first["bob"]["score"]) == (0.0, 2.5)
    mark(folder, "bob", "essay", 3.0)
    mark(folder, "late", "essay", 2.0)
    second = grade(folder, "set1").rows
    assert (second["late"]["score"], second["bob"]["score"]) == (0.0, 5.5)
    assert second["late"]["incidents"] == ["late: 6.5 points taken off"]
    assert second["bob"]["incidents"] == []
    text = shown(folder)
    assert "late        0.00      10" in text
    assert "bob         5.50      10" in text
    assert "  late: late: 6.5 points taken off" in text
    for form, column in (("nbgrader", 9), ("canvas", 5), ("moodle", 4)):
        table, _ = export(folder, "--format", form)
        rows = {tuple(row)[column] for row in table}
        assert {"0.0", "5.5"} <= rows, form


def test_export_leaves_empty_what_was_not_handed_in(folder):
    submit(folder, "set1", "problem", "bob", ABS)
    grade(folder, "set1")
    with book(folder) as found:
        found.update_or_create_student("zoe", first_name="Zoe")
    line = "course: 1 answer waits for a person to mark it\n"
    for form, place, cells in (
        ("canvas", 3, ["Zoe", "", "", "zoe", "", ""]),
        ("moodle", 2, ["zoe", "", "Zoe", "", "-"]),  # an empty cell would be a 0
    ):
        table, said = export(folder, "--format", form)
        assert (table[place], said) == (cells, line)
    table, said = export(folder)
    assert table[2][7:] == ["0.0", "0.0", "0.0", "10.0"]
    assert (table[2][2], said) == ("", line)
    mark(folder, "bob", "essay", 3.0)
    assert export(folder)[1] == ""


def test_export_makes_no_gradebook(tmp_path):
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "set1.ipynb").write_text("{}")
    first = course("export", "--course", tmp_path)
    assert first.errors.startswith("course: nothing graded here yet: there is no ")
    second = grade(tmp_path, "set1", "--submissions", tmp_path)
    line = "course: 'set1' is not in the gradebook, and no notebook"
    assert second.errors.startswith(line)
    assert (first.code, second.code) == (1, 1)
    assert sorted(os.listdir(tmp_path)) == ["ada"]


# ---- runs that are stopped, or go on ----


def test_a_job_that_was_disturbed_is_not_graded(folder, monkeypatch):
    submit(folder, "set1", "problem", "ada", RIGHT)
    submit(folder, "set1", "problem", "bob", ABS)
    run = job.run

    def disturbed(task, *rest):
        result = run(task, *rest)
        wanted = any("abs(x)" in cell.source for cell in task.plan.cells)
        return replace(result, complete=False) if wanted else result

    with monkeypatch.context() as broken:
        broken.setattr(job, "run", disturbed)
        text = shown(folder)
        assert "bob         0.00      10" in text
        assert "  bob: NOT GRADED" in text
        last = text.splitlines()[-2]
        line = "1 graded, 0 already graded, 1 not graded: run the same command again"
        assert last == line
    with book(folder) as found:
        assert [s.student_id for s in found.assignment_submissions("set1")] == ["ada"]
    assert "1 graded, 1 already graded\n" in shown(folder)


SLOW = {"square": "def square(x):\n    import time\n    time.sleep(1.5); return x * x"}
SLOW_CELL = {"square": "import time\ntime.sleep(1.5)\ndef square(x): return x * x"}


@pytest.mark.parametrize("answer", [SLOW, SLOW_CELL], ids=["question", "cell"])
def test_more_time_grades_again_who_ran_out_of_it(folder, answer):
    submit(folder, "set1", "problem", "ada", RIGHT)
    submit(folder, "set1", "problem", "eve", answer)
    assert grade(folder, "set1", "--timeout", "1").rows["eve"]["score"] == 0.0
    assert "0 graded, 2 already graded" in shown(folder, "--timeout", "1")
    text = shown(folder, "--timeout", "20")
    assert "1 graded, 1 already graded" in text
    assert "eve         4.50      10" in text
    assert "0 graded, 2 already graded" in shown(folder, "--timeout", "30")


def test_the_time_limit_of_the_course(tmp_path):
    config = "c.ExecutePreprocessor.timeout = 1\n"
    folder = make_course(tmp_path / "course", "set1", {"problem": problem()}, config)
    submit(folder, "set1", "problem", "eve", SLOW)
    assert grade(folder, "set1").rows["eve"]["score"] == 0.0
    assert grade(folder, "set1", "--timeout", "20").rows["eve"]["score"] == 4.5
    for value, expected in (("-1", None), ("None", None), ("45", 45.0)):
        (folder / "nbgrader_config.py").write_text(f"c.Execute.timeout = {value}")
        assert Course(folder).timeout() == expected


def test_force_is_over_once_it_has_begun(folder, monkeypatch):
    for student in ("ada", "bob", "eve"):
        submit(folder, "set1", "problem", student, RIGHT)
    grade(folder, "set1")
    words = ("grade", "set1", "--course", folder, "--force", "--workers", "1")
    line = "course: stopped; run the same command again{} to continue\n"
    with monkeypatch.context() as stopped:
        stopped.setattr(signal, "signal", lambda *_: None)
        stopped.setattr(job, "run", _stop)
        result = course(*words)
        assert (result.code, result.errors) == (130, line.format(" without --force"))
        stopped.setattr(registration, "answer_keys", _stop)
        result = course(*words)
        assert (result.code, result.errors) == (130, line.format(""))
    assert "3 graded, 0 already graded" in shown(folder)


def _stop(*_):
    raise KeyboardInterrupt


# ---- folders ----


@pytest.fixture
def collected(folder, tmp_path):
    """A folder of submissions in which ada's is as it should be."""
    submit(folder, "set1", "problem", "ada", RIGHT)
    return shutil.copytree(folder / "submitted", tmp_path / "collected")


def hand_in(collected, *parts):
    place = collected.joinpath(*parts)
    place.mkdir(parents=True)
    shutil.copy(collected / "ada" / "set1" / "problem.ipynb", place)
    return place


def test_what_is_no_submission_is_named(folder, collected):
    (collected / "notes.txt").write_text("x")
    (collected / "empty").mkdir()
    hand_in(collected, "both", "set1")
    shutil.copy(collected / "ada" / "set1" / "problem.ipynb", collected / "both")
    words = ("--submissions", str(collected))
    result = grade(folder, "set1", *words)
    assert sorted(result.rows) == ["ada", "both"]
    assert result.report["left_out"] == {
        "both/problem.ipynb": "set1/problem.ipynb was taken",
        "empty": "no notebook in it",
        "notes.txt": "not the folder of a student",
    }
    text = shown(folder, *words)
    assert "left out (3):\n  both/problem.ipynb: set1/problem.ipynb was taken" in text
    assert "left out" not in shown(folder, *words, "--only", "ada")


def test_odd_folders_have_a_row(folder, collected):
    other = hand_in(collected.parent / "collected", ".elsewhere")
    (collected / "linked").symlink_to(other)
    (collected / "broken").symlink_to("nowhere")
    (collected / "inner").mkdir()
    (collected / "inner" / "set1").symlink_to(other)
    (collected / "file").mkdir()
    (collected / "file" / "set1").write_text("x")
    rows = grade(folder, "set1", "--submissions", str(collected)).rows
    assert {name: row["incidents"] for name, row in rows.items()} == {
        "ada": [],
        "broken": ["the folder is a link"],
        "file": ["cannot be read: Not a directory"],
        "inner": ["the folder is a link"],
        "linked": ["the folder is a link"],
    }
    assert {row["status"] for row in rows.values()} == {"graded", "unreadable"}


@pytest.mark.parametrize("words", [[], ["--submissions", "collected"]])
def test_a_folder_that_may_not_be_read(folder, collected, monkeypatch, words):
    """Root may read everything, so the system's answer is made up."""
    shutil.copytree(collected / "ada", collected / "bob")
    shutil.copytree(collected / "ada", folder / "submitted" / "bob")
    listdir, lexists = os.listdir, os.path.lexists

    def refuse(path="."):
        if "/bob" in str(path) and "autograded" not in str(path):
            raise PermissionError(13, "Permission denied", path)
        return listdir(path)

    monkeypatch.chdir(collected.parent)
    monkeypatch.setattr(os, "listdir", refuse)
    monkeypatch.setattr(
        os.path, "lexists", lambda path: "/bob" not in str(path) and lexists(path)
    )
    rows = grade(folder, "set1", *words).rows
    assert (rows["ada"]["score"], rows["bob"]["score"]) == (4.5, 0.0)
    assert rows["bob"]["incidents"] == ["cannot be read: Permission denied"]


def test_an_empty_folder_beside_the_notebook(folder, collected):
    hand_in(collected, "bob")
    (collected / "bob" / "set1").mkdir()
    rows = grade(folder, "set1", "--submissions", str(collected)).rows
    assert rows["bob"]["score"] == 4.5


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("ada", "{} is the folder of one student, not of a class"),
        ("ada/set1", "{} holds notebooks, but no folder for each student; expected: "),
        ("none", "no submission of set1 in {}; expected: {}/STUDENT/set1/*.ipynb or "),
        ("gone", "no folder of submissions: {}"),
    ],
)
def test_a_folder_that_is_no_class(folder, collected, place, line):
    (collected / "none").mkdir()
    path = str(collected / place)
    result = grade(folder, "set1", "--submissions", path)
    assert result.code == 1
    assert line.replace("{}", path) in result.errors
    assert result.errors.count("\n") == 1


def test_who_is_in_the_gradebook_but_not_here(folder, collected):
    submit(folder, "set1", "problem", "zoe", RIGHT)
    grade(folder, "set1")
    words = ("--submissions", str(collected))
    line = "in the gradebook, but not handed in here (1):\n  zoe\n"
    assert line in shown(folder, *words)
    assert "not handed in here" not in shown(folder, *words, "--only", "ada")


# ---- what is said ----


def test_the_report_is_kept_for_the_instructor_alone(folder):
    submit(folder, "set1", "problem", "bob", ABS)
    path = folder / ".grading" / "set1" / "report.txt"
    grade(folder, "set1")
    assert "bob         2.50      10" in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    *lines, last = shown(folder).splitlines()
    assert path.read_text() == "\n".join([*lines, ""])
    assert last == f"this report: {path}"
    assert lines[-2:] == [
        "1 answer waits for a person to mark it",
        "0 graded, 1 already graded",
    ]


def row(student, score=1.0, status="graded", incidents=(), questions=()):
    return Row(student, score, 2.0, status, 0.1, 0.1, tuple(questions), incidents)


def made_report(rows, **facts):
    facts = {"graded": len(rows), "seconds": 1.0, **facts}
    return Report("set1", tuple(rows), **facts)


def test_what_matters_most_is_not_crowded_out():
    rows = [row(f"s{n:02}", incidents=(f"late: {n} taken off",)) for n in range(30)]
    rows.append(row("lost", 0.0, "not graded", ("could not be run",)))
    rows.append(row("odd", incidents=("left a process running",)))
    lines = made_report(rows, graded=31).ending().splitlines()
    assert lines[:4] == [
        "31 scores: mean 1.0, median 1, from 1 to 1",
        "look at (32):",
        "  lost: NOT GRADED; could not be run",
        "  odd: left a process running",
    ]
    assert lines[-2] == "  … and 12 more"
    assert lines[-1].startswith("31 graded, 0 already graded, 1 not graded")


def test_what_most_submissions_share_is_said_once():
    """As it is after a test was corrected: all have the older one."""
    rows = [row(f"s{n}", incidents=("cell t was edited",)) for n in range(9)]
    odd = ("cell t was edited", "left a process running")
    rows[3] = replace(rows[3], incidents=odd)
    text = made_report(rows).as_text()
    assert "look at (1):\n  s3: left a process running\n" in text
    assert "the same in most submissions (1):\n  9 x cell t was edited\n" in text
    assert text.count("was edited") == 1


def test_lines_fit_the_terminal():
    failed = Question("", 0.0, 2.0, "failed", "x" * 300)
    questions = [replace(failed, id=f"question{number}") for number in range(9)]
    questions.append(replace(failed, id="easy", status="passed", message=""))
    made = made_report([row("a" * 50, 1.0, "graded", ("y" * 300,), questions)])
    assert max(map(len, made.as_text(80).splitlines())) == 80
    assert json.loads(made.as_json())["submissions"][0]["student"] == "a" * 50


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COURSE_QUIET", raising=False)
    return Terminal()


def test_progress_of_a_run_that_goes_on(terminal):
    """What was graded before says nothing of how long the rest will take."""
    progress = Progress(400, stream=terminal)
    assert " 0/400 " in terminal.getvalue()  # at once
    for _ in range(300):
        progress.skip(row("a"))
    progress.bar.start_t -= 10.0
    progress.step(row("b", incidents=("left a process running",)))
    last = terminal.getvalue().split("\r")[-1]
    assert " 301/400 " in last
    assert "s/ submission, 16:" in last  # ten seconds each, and 99 to go
    assert "1 with incidents" in last
    progress.close()


def test_where_no_progress_is_shown(terminal, monkeypatch):
    for shown, stream in ((False, terminal), (True, io.StringIO())):
        Progress(3, shown, stream).step(row("a"))
        assert stream.getvalue() == ""
    monkeypatch.setenv("COURSE_QUIET", "1")
    Progress(3, stream=terminal).step(row("a"))
    assert terminal.getvalue() == ""


def test_a_value_the_database_refuses_costs_one_row(folder, monkeypatch):
    submit(folder, "set1", "problem", "ada", RIGHT)
    submit(folder, "set1", "problem", "bob", RIGHT)
    save = gradebook.Scribe.save

    def refusing(self, student, *rest):
        if student == "bob":
            raise DataError("insert", {}, ValueError("too long"))
        return save(self, student, *rest)

    monkeypatch.setattr(gradebook.Scribe, "save", refusing)
    rows = grade(folder, "set1").rows
    assert rows["ada"]["score"] == 4.5
    assert rows["bob"]["status"] == "not stored"
    assert rows["bob"]["incidents"] == ["could not be stored: DataError"]


def test_a_full_disk_says_where(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    submit(folder, "set1", "problem", "ada", RIGHT)
    monkeypatch.setattr(writer, "write_file", full)
    place = folder / "autograded" / "ada" / "set1"
    assert grade(folder, "set1").errors == f"course: No space left on device: {place}\n"


def test_names_of_students_and_sets(folder):
    submit(folder, "set1", "problem", "ada", RIGHT)
    result = grade(folder, "source/set1/", "--only", "ada,bob")
    assert result.errors == "course: no submission of ada,bob; repeat --only for each\n"
    for name in ("ps1_a", "ps1_b"):
        shutil.copytree(folder / "source" / "set1", folder / "source" / name)
    assert grade(folder, "ps1").errors == "course: 'ps1' may mean ps1_a or ps1_b\n"
    assert "did you mean set1?" in grade(folder, "sett").errors
    grade(folder, "set1")
    (folder / "autograded" / "gone" / "set1").mkdir(parents=True)
    assert course("feedback", "set1", "--course", folder).code == 0
    result = course("feedback", "set1", "--course", folder, "--only", "nobody")
    assert result.errors == "course: nothing graded of nobody in set1\n"


# Programs read these: what `--json` prints, and the records in .grading/.
REPORT_KEYS = ["assignment", "seconds", "submissions"]
ROW_KEYS = ["student", "score", "max_score", "status", "seconds", "cpu"]
ROW_KEYS += ["questions", "incidents"]
QUESTION_KEYS = ["id", "score", "max_score", "status", "message"]
RECORD_KEYS = ["digest", "terms", "seconds", "row"]


def test_the_keys_of_reports_and_records_stay(folder):
    submit(folder, "set1", "problem", "bob", ABS)
    (folder / "submitted" / "notes.txt").write_text("x")
    report = grade(folder, "set1").report
    assert list(report) == [*REPORT_KEYS, "left_out"]
    record = json.loads((folder / ".grading/set1/bob/record.json").read_text())
    assert list(record) == RECORD_KEYS
    for found in (*report["submissions"], record["row"]):
        assert list(found) == ROW_KEYS
        assert [list(question) for question in found["questions"]] == 3 * [
            QUESTION_KEYS
        ]
    remarked = made_report([row("ada")], remarks=("broken: two",))
    assert list(json.loads(remarked.as_json())) == [*REPORT_KEYS, "remarks"]


def test_an_expected_place_is_named_once_whatever_ends_the_folder(tmp_path):
    line = find_submissions.why_none(f"{tmp_path}/", "set1", loose=False)
    assert line.endswith(f"expected: {tmp_path}/STUDENT/set1/*.ipynb")
