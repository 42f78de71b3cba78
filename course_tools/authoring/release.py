"""Problem sets: the release for students, and the check a student runs on it.

A set is written in solutions/SET/ and released to assignments/SET/ by nbgrader's own
converter, with the settings of nbgrader_config.py.  `check` runs a student's notebook
by the grader itself, minus the hidden tests: grading/check.py.
"""

import logging
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from course_tools.atomic import replacing
from course_tools.classroom import edition, progress
from course_tools.errors import CommandError
from course_tools.grading.course.nbgrader_log import Heard
from course_tools.grading.course.problem_sets import find_set, read_notebook, sets_in

if TYPE_CHECKING:
    from course_tools.grading.check import Runner

ROOT = Path(__file__).resolve().parents[2]


def complain(message: object) -> None:
    print(f"course: {message}", file=sys.stderr)


# ---- release: solutions/SET -> assignments/SET ----


def release(names: list[str], root: Path = ROOT) -> int:
    """Make the students' version of the named sets (none named: of all sets).

    Returns 0, or 1 if a set could not be released, or 2 for a name that is no set.
    """
    known = sets_in(root / "solutions")
    try:
        chosen = list(dict.fromkeys(find_set(name, known) for name in names)) or known
    except CommandError as error:
        complain(error)
        return error.code
    if not chosen:
        complain("there are no problem sets in solutions/ yet")
        return 2
    results = [release_one(name, root) for name in chosen]
    return 0 if all(results) else 1


def release_one(name: str, root: Path) -> bool:
    """Release one set and say so in a line; a failed release leaves all as it was."""
    target = root / "assignments" / name
    try:
        with tempfile.TemporaryDirectory() as scratch:
            built = build(name, root, Path(scratch))
            for file in built.rglob("*.ipynb"):
                refuse_to_overwrite_answers(target / file.relative_to(built), root)
            files = install(built, target)
    except (CommandError, OSError) as error:
        complain(f"{name} was not released: {error}")
        return False
    print(f"{name}: solutions/{name} -> assignments/{name} ({', '.join(files)})")
    return True


def build(name: str, root: Path, destination: Path) -> Path:
    """Run nbgrader's converter on solutions/NAME; returns destination/NAME.

    This is `nbgrader generate_assignment --no-db`: no gradebook is made or touched.
    """
    from nbgrader.converters import GenerateAssignment, NbGraderException
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config.loader import ConfigFileNotFound, PyFileConfigLoader

    try:
        config = PyFileConfigLoader("nbgrader_config.py", str(root)).load_config()
    except ConfigFileNotFound:
        raise CommandError("nbgrader_config.py is missing") from None
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.release_directory = str(destination)
    config.CourseDirectory.assignment_id = name
    config.GenerateAssignment.no_database = True
    config.SaveCells.enabled = False
    course = CourseDirectory(config=config)
    log = logging.getLogger(f"{__name__}.nbgrader")
    log.propagate, log.handlers = False, [heard := Heard()]
    try:
        GenerateAssignment(coursedir=course, config=config, log=log).start()
    except NbGraderException as error:
        raise CommandError(heard.reason or str(error)) from None
    return destination / name


def refuse_to_overwrite_answers(path: Path, root: Path) -> None:
    """Raise if the notebook that would be replaced holds somebody's answers."""
    from nbgrader.utils import compute_checksum, is_solution

    if not path.exists():
        return
    answered = [
        cell.metadata.nbgrader.grade_id
        for cell in read_notebook(path).cells
        if is_solution(cell)
        and cell.metadata.nbgrader.get("checksum") != compute_checksum(cell)
    ]
    if answered:
        where, cells = path.relative_to(root), ", ".join(answered[:3])
        raise CommandError(f"{where} holds answers ({cells}, …); move it away first")


def install(built: Path, target: Path) -> list[str]:
    """Move the files to their place, each in one step; returns their names."""
    files = sorted(str(f.relative_to(built)) for f in built.rglob("*") if f.is_file())
    for file in files:
        goal = target / file
        goal.parent.mkdir(parents=True, exist_ok=True)
        with replacing(goal, 0o644) as draft:
            shutil.copyfile(built / file, draft)
    return files


# ---- check: what the visible tests say ----


def check(
    name: str,
    notebook: str | Path | None = None,
    root: Path = ROOT,
    run: "Runner | None" = None,
) -> int:
    """Let the grader judge a copy of the student's notebook, question by question.

    `run` says in which processes: see grading/check.py.
    Returns 0 if every visible test passes, 1 if not, 2 for bad input.
    """
    try:
        name = find_set(name, sets_in(root / "assignments", root / "solutions"))
        path = Path(notebook or own_copy(root, name))
        expected = expected_questions(name, root)
        from course_tools.grading import check as grader

        book = grader.read(name, path)
        print(f"{name}: running a copy of {shown(path)} …", flush=True)
        result = grader.check(name, book, root, expected, run)
        if notebook is None:
            tested = [line for line in result.lines if line.score is not None]
            passing = [line.question for line in tested if line.score == line.points]
            progress.note_check(root, name, passing, len(tested))
        return grader.show(result)
    except CommandError as error:
        complain(error)
        return error.code


def shown(path: Path) -> str:
    """The file as seen from here: which of several copies it is must be plain."""
    here, place = Path.cwd(), path.resolve()
    return str(place.relative_to(here)) if place.is_relative_to(here) else str(place)


def own_copy(root: Path, name: str) -> Path:
    """Where a student works on a set; on a hub, the copy that nbgrader has fetched."""
    fetched = Path(os.environ.get("COURSE_DESK", root)) / name / f"{name}.ipynb"
    if "COURSE_DESK" in os.environ and fetched.exists():
        return fetched
    return root / "assignments" / name / f"{name}.ipynb"


def expected_questions(name: str, root: Path) -> dict[str, float]:
    """The questions of the set with their points, if they are known here."""
    source = root / "solutions" / name / f"{name}.ipynb"
    if not source.is_file():
        own = edition.read(root)
        return own.questions.get(name, {}) if own else {}
    metas = [c.metadata.get("nbgrader", {}) for c in read_notebook(source).cells]
    return {m["grade_id"]: float(m["points"]) for m in metas if m.get("grade")}
