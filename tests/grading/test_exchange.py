"""Feedback goes back through nbgrader's own exchange after `./course grade`."""

import os
from pathlib import Path

import pytest
from made_course import course, grade, make_course, submit
from nbgrader.apps import NbGraderAPI
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import (
    ExchangeFetchAssignment,
    ExchangeFetchFeedback,
    ExchangeSubmit,
)
from square_problem import problem

from course_tools.grading.course import exchange
from course_tools.grading.course.course import load_config

SET = "squares"


def configured(folder: Path, assignment: str = "", student: str = "*"):
    """nbgrader's settings in a folder, and its course directory."""
    config = load_config(str(folder))
    config.CourseDirectory.root = str(folder)
    config.CourseDirectory.student_id = student
    config.CourseDirectory.assignment_id = assignment
    config.Exchange.assignment_dir = str(folder)
    return config, CourseDirectory(config=config)


def instructor(folder: Path) -> NbGraderAPI:
    """What nbgrader's own commands and the formgrader call."""
    config, directory = configured(folder)
    return NbGraderAPI(directory, config=config)


def as_student(step: type, folder: Path) -> None:
    """One step of the exchange, as JupyterLab's list of assignments takes it."""
    config, directory = configured(folder, SET, "ada")
    step(coursedir=directory, authenticator=Authenticator(), config=config).start()


def succeed(result) -> None:
    assert result["success"], result.get("error") or result.get("log")


@pytest.fixture
def settings(tmp_path):
    """A course id, and an exchange of its own."""
    root = tmp_path / "exchange"
    root.mkdir(mode=0o777)
    root.chmod(0o1777)
    return (
        f"c.CourseDirectory.course_id = 'maths'\nc.Exchange.root = {str(root)!r}\n"
        f"c.Exchange.cache = {str(tmp_path / 'cache')!r}\n"
    )


@pytest.fixture
def student(tmp_path, settings):
    """A student's folder, which knows the same exchange."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "nbgrader_config.py").write_text(f"c = get_config()\n{settings}")
    return folder


def test_the_whole_way_out_and_back(tmp_path, settings, student, warm):
    folder = make_course(tmp_path / "course", SET, {"nb": problem()}, settings)
    api = instructor(folder)
    succeed(api.release_assignment(SET))
    as_student(ExchangeFetchAssignment, student)
    notebook = student / SET / "nb.ipynb"
    answered = notebook.read_text().replace("raise NotImplementedError()", "return x*x")
    notebook.write_text(answered)
    as_student(ExchangeSubmit, student)
    succeed(api.collect(SET))
    # two who came by another way: one has no such files, one has a trap for them
    submit(folder, SET, "nb", "bob")
    trap = Path(submit(folder, SET, "nb", "eve"))
    (trap / exchange.SECRET).symlink_to("/etc/passwd")

    assert set(grade(folder, SET).rows) == {"ada", "bob", "eve"}
    succeed(api.release_feedback(SET))
    as_student(ExchangeFetchFeedback, student)
    (page,) = (student / SET / "feedback").glob("*/nb.html")
    theirs = folder / "feedback" / "ada" / SET / "nb.html"
    assert page.read_bytes() == theirs.read_bytes()
    released = list((tmp_path / "exchange/maths/feedback").iterdir())
    assert len(released) == 3  # and nobody knows the names of the other two

    # the pages again, with the same names: nothing that was released goes stale
    assert course("feedback", SET, "--course", folder).code == 0
    succeed(api.release_feedback(SET))
    assert list((tmp_path / "exchange/maths/feedback").iterdir()) == released
    # nbgrader's own command finds what it needs as well
    (theirs.parent / exchange.SECRET).unlink()
    succeed(api.generate_feedback(SET, "ada", force=True))
    secrets = [folder / step / "ada" / SET for step in ("submitted", "feedback")]
    given, labelled = [(place / exchange.SECRET).read_text() for place in secrets]
    assert given == labelled


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"a\nb", b"x" * 2000])
def test_an_odd_secret_is_replaced_by_one_that_nobody_knows(tmp_path, data):
    folders = [tmp_path / "submitted", tmp_path / "feedback"]
    for folder in folders:
        folder.mkdir()
    (folders[0] / exchange.SECRET).write_bytes(data)
    exchange.label_pages([str(folders[0])], str(folders[1]))
    made = (folders[1] / exchange.SECRET).read_text()
    assert len(made) == 128
    exchange.label_pages([str(folders[0])], str(folders[1]))
    assert (folders[1] / exchange.SECRET).read_text() == made
    assert os.stat(folders[1] / exchange.SECRET).st_mode & 0o007 == 0
