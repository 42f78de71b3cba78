"""Small nbgrader courses for tests: made from code, released by nbgrader itself."""

import contextlib
import functools
import io
import json
import os
from types import SimpleNamespace

from nbformat import v4
from nbgrader import api as nbgrader_api
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory

from course_tools.cli import command_line
from course_tools.grading.course.course import Course, load_config

# For each new gradebook nbgrader starts a process of two seconds, which looks up a
# number.  It is the same for all.
nbgrader_api.get_alembic_version = functools.cache(nbgrader_api.get_alembic_version)


def cell(kind, name, source, points=0):
    """Return a notebook cell: plain, locked, solution, test or manual."""
    made = (
        v4.new_markdown_cell(source) if kind == "manual" else v4.new_code_cell(source)
    )
    if kind != "plain":
        made.metadata["nbgrader"] = {
            "grade": kind in ("test", "manual"),
            "solution": kind in ("solution", "manual"),
            "locked": kind in ("locked", "test"),
            "task": False,
            "grade_id": name,
            "schema_version": 3,
        }
        if kind in ("test", "manual"):
            made.metadata["nbgrader"]["points"] = points
    return made


def notebook(*cells):
    made = v4.new_notebook(cells=list(cells))
    made.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    return made


def make_course(folder, assignment, notebooks, config=""):
    """Write a course, release the assignment with nbgrader; return its folder."""
    source = os.path.join(folder, "source", assignment)
    os.makedirs(source)
    for name, made in notebooks.items():
        with open(os.path.join(source, name + ".ipynb"), "w") as file:
            json.dump(made, file)
    with open(os.path.join(folder, "nbgrader_config.py"), "w") as file:
        file.write("c = get_config()\n" + config)
    release(folder, assignment)
    return folder


def release(folder, assignment):
    """What `nbgrader generate_assignment` does, without the seconds of its start."""
    Course(str(folder))  # puts alembic on the path
    loaded = load_config(str(folder))
    loaded.CourseDirectory.root = str(folder)
    api = NbGraderAPI(CourseDirectory(config=loaded), config=loaded)
    result = api.generate_assignment(assignment)
    assert result["success"], result.get("log")


def released(folder, assignment, name):
    with open(os.path.join(folder, "release", assignment, name + ".ipynb")) as file:
        return json.load(file)


def submit(folder, assignment, name, student, answers=None, change=None, files=None):
    """Hand in the released notebook with `answers` {grade id: source} filled in."""
    made = released(folder, assignment, name)
    for item in made["cells"]:
        grade_id = item["metadata"].get("nbgrader", {}).get("grade_id")
        if grade_id in (answers or {}):
            item["source"] = answers[grade_id]
    target = os.path.join(folder, "submitted", student, assignment)
    os.makedirs(target, exist_ok=True)
    text = json.dumps(made)
    if change is not None:
        text = change(made, target)
        text = json.dumps(made) if text is None else text
    if text != "no notebook":
        with open(os.path.join(target, name + ".ipynb"), "w") as file:
            file.write(text)
    for path, data in (files or {}).items():
        full = os.path.join(target, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(data)
    return target


def course(*words):
    """Run `course WORDS` in this process; return exit code, output and errors."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = command_line.run(command_line.parse([str(word) for word in words]))
    return SimpleNamespace(code=code, text=out.getvalue(), errors=err.getvalue())


def grade(folder, assignment, *arguments):
    """Run `course grade --json`; what it prints is there as `report` and `rows`."""
    result = course("grade", assignment, "--json", *arguments, "--course", folder)
    empty = {"submissions": []}
    result.report = json.loads(result.text) if result.code == 0 else empty
    result.rows = {row["student"]: row for row in result.report["submissions"]}
    return result
