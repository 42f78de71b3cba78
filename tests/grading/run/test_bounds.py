"""No submission takes more than its share: time in all, processor, incidents."""

import os
from dataclasses import replace

import pytest
from made_course import cell, grade, make_course, notebook, submit
from pace import usual_seconds

from course_tools.grading.limits import Limits
from course_tools.grading.messages import CellReport, Result, Verdict
from course_tools.grading.plan.answer_key import AnswerKey, KeyCell
from course_tools.grading.run import results, submission
from course_tools.grading.run.submission import Task
from course_tools.grading.sandbox import cgroups
from course_tools.grading.validate import decode, encode

NAP = ("student", "import time; time.sleep(1.9)")


def test_time_in_all_is_twenty_cells_unless_given():
    assert Limits(cell_seconds=5).all_seconds == 100
    assert Limits(cell_seconds=5, total_seconds=7).all_seconds == 7
    assert decode(Limits, encode(Limits(total_seconds=7))).all_seconds == 7


def test_many_cells_that_sleep_are_cut_short(bench):
    limits = Limits(cell_seconds=20, total_seconds=7)
    naps = [NAP] * 20
    result = bench.run(
        ("student", "x = 1"),
        ("test", "assert x == 1"),
        *naps,
        ("test", "assert x == 1"),
        limits=limits,
    )
    assert result.complete is True
    assert result.out_of_time is True
    assert result.incidents == ("took longer than 7 s in all",)
    kinds = [type(report) for report in result.reports]
    assert kinds[:2] == [CellReport, Verdict]
    assert kinds.count(Verdict) == 1
    assert 1 <= len(kinds) - 2 <= 4


def test_repetitions_count_as_well(bench):
    """A process that ends in every question has all cells before run again."""
    limits = Limits(cell_seconds=20, total_seconds=8)
    result = bench.run(
        *[NAP] * 3,
        ("student", "import os\ndef f(): os._exit(1)"),
        *[("test", "f()")] * 4,
        limits=limits,
    )
    assert "took longer than 8 s in all" in result.incidents
    assert result.complete is True


def answer_key(*names):
    cells = {n: KeyCell(n, "code", "", "", True, True, points=2.0) for n in names}
    return AnswerKey("made-up", cells=cells)


def task(*notebooks):
    return Task({name: answer_key() for name in notebooks}, Limits(), {})


def test_questions_that_were_not_reached_say_why():
    made = notebook(cell("test", "a", "", 2), cell("test", "b", "", 2))
    passed = Verdict(0, "a", score=2.0, seconds=0.1)
    result = Result((passed,), (), True, out_of_time=True, cpu=0.1, seconds=0.1)
    rows = results.fill_in(made, answer_key("a", "b"), result, Limits())
    assert [(row.score, row.status) for row in rows] == [
        (2.0, "passed"),
        (0.0, "timeout"),
    ]
    assert made.cells[1].metadata["grading"] == {"public": results.NO_TIME_LEFT}
    assert made.cells[1].outputs[0].ename == "NotGraded"
    result = replace(result, out_of_time=False)
    rows = results.fill_in(made, answer_key("a", "b"), result, Limits())
    assert (rows[1].status, rows[1].message) == ("lost", results.NOT_REACHED)


def test_few_incidents_are_named():
    made = submission.Submission("ada", "")
    made.incidents = [f"incident {n}" for n in range(70)] + ["half \ud800"]
    incidents = made.row(task(), 0.0).incidents
    assert len(incidents) == 51
    assert incidents[-1] == "… and 21 more"
    made.incidents = made.incidents[-50:]
    assert made.row(task(), 0.0).incidents[-1] == "half ?"


@pytest.mark.parametrize(
    ("there", "expected", "said"),
    [
        (["ps1 (2)"], ["ps1"], "is called ps1 (2).ipynb, expected ps1.ipynb: rename"),
        (["a", "b"], ["ps1"], "unknown notebook left out: a"),
        (["a", "ps1"], ["ps1"], "unknown notebook left out: a"),
        (["a", "one"], ["one", "two"], "unknown notebook left out: a"),
    ],
)
def test_notebooks_with_other_names(tmp_path, there, expected, said):
    for name in there:
        (tmp_path / f"{name}.ipynb").write_text("{}")
    made = submission.read("ada", str(tmp_path), task(*expected))
    assert said in "\n".join(made.incidents)
    assert ("rename" in said) == ("rename" in "\n".join(made.incidents))


def test_a_long_time_stamp_is_refused_at_once(tmp_path):
    (tmp_path / "timestamp.txt").write_bytes(b"1." * 100_000)
    assert usual_seconds(lambda: submission.read("ada", str(tmp_path), task())) < 0.5
    made = submission.read("ada", str(tmp_path), task())
    assert made.incidents == ["the time stamp of the submission cannot be read"]
    (tmp_path / "timestamp.txt").write_bytes(b"2026-05-06 07:08:09.123456 UTC\n")
    made = submission.read("ada", str(tmp_path), task())
    assert (made.timestamp.hour, made.incidents) == (7, [])


SPIN = """
import os, time
for _ in range(24):
    if os.fork() == 0:
        end = time.time() + 20
        while time.time() < end: pass
        os._exit(0)
"""
SLOW = "def slow(n):\n    return sum(i * i for i in range(n))"


def has_one_core():
    group = cgroups.make_group("probe", Limits())
    group.remove()
    return group.one_core


@pytest.mark.skipif(not has_one_core(), reason="no control group for the processor")
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core is there for all")
def test_many_processes_do_not_take_the_time_of_neighbours(tmp_path, warm):
    """24 that spin, in one slot; the neighbour needs about a second of one core."""
    made = notebook(
        cell("solution", "slow", "### BEGIN SOLUTION\n### END SOLUTION"),
        cell("test", "t", "n = 8_000_000\nassert slow(n) == (n-1)*n*(2*n-1)//6", 1),
    )
    folder = make_course(tmp_path / "course", "set", {"problem": made})

    def spin(book, folder):
        for source in (SPIN, *["import time; time.sleep(3)"] * 2):
            new = {"cell_type": "code", "source": source, "metadata": {}}
            new.update(outputs=[], execution_count=None)
            book["cells"].insert(-1, new)

    for name in ("honest0", "honest1", "honest2"):
        submit(folder, "set", "problem", name, {"slow": SLOW})
    submit(folder, "set", "problem", "attacker", {"slow": SLOW}, spin)
    rows = grade(folder, "set", "--timeout", "8", "--no-feedback").rows
    honest = {n: r["score"] for n, r in rows.items() if n != "attacker"}
    assert honest == {"honest0": 1.0, "honest1": 1.0, "honest2": 1.0}, rows
    assert "left a process running" in rows["attacker"]["incidents"]
