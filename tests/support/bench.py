r"""The test bench for graders: known answers, graded by `./course grade`.

`answers/SET/wrong/` and `answers/SET/right/` hold one student's idea per file, named
after it.  A file is Python with a header:

    \"\"\"What the student thought, in a sentence.\"\"\"

    # replaces: answer_bptt          the solution cell whose place this code takes
    # fails: bptt=12/15, readout     wrong/ only: questions that lose points
    # message: the state before      wrong/ only: what a failing test must say
    # rule: modules                  wrong/ only: it breaks a rule of the set, which
                                     plain nbgrader does not enforce

A second `# replaces:` line starts the code for a second cell.  A question without a
number must get 0 points; all questions that are not named must get full marks.

Plain nbgrader, which starts a kernel for every submission, grades only a few of them
(see `sample`); the engine must give the same points to these.
"""

import ast
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import nbformat
from made_course import release

from course_tools.grading import check
from course_tools.grading.limits import Limits
from course_tools.grading.messages import Job, Result
from course_tools.grading.plan.hidden_tests import hidden_lines

ROOT = Path(__file__).resolve().parents[2]
ANSWERS = ROOT / "tests" / "answers"
HEADER = re.compile(r"# (replaces|fails|message|rule): (.*)")
MIXED = ("all-wrong", "all-right")  # students whom plain nbgrader grades, too
HIDDEN = ("a hidden check failed", "in a hidden check ")
# what is said wherever the failure was, in a visible or in a hidden check
ANYWHERE = ("your code stopped", "the time for this", "a rule of this set is broken")
PACK = "pack-"
PATIENCE = 120  # seconds for a cell
KEPT = re.compile(r"(\w+)(?:=([\d.]+)/([\d.]+))?")


@dataclass(frozen=True)
class Answer:
    """One file of the bench."""

    name: str  # wrong-bptt_forgets_carry: also the student's name while grading
    thought: str
    cells: dict[str, str]  # the solution cell's id -> the code that replaces it
    fails: dict[str, tuple[float, float | None]] = field(default_factory=dict)
    message: str = ""  # fails: question -> points kept, and out of how many
    rule: str = ""

    @property
    def is_wrong(self) -> bool:
        return self.name.startswith("wrong-")


def read_answer(path: Path) -> Answer:
    """Parse one file; a header that makes no sense is a ValueError that says why."""
    text = path.read_text(encoding="utf-8")
    thought = ast.get_docstring(ast.parse(text))
    keys, cells, current = {}, {}, None
    for line in text.splitlines():
        if found := HEADER.fullmatch(line):
            key, value = found.groups()
            if key == "replaces":
                current = cells.setdefault(value.strip(), [])
            else:
                keys[key] = value.strip()
        elif current is not None:
            current.append(line)
    if not thought or not cells:
        raise ValueError(f"{path}: a docstring and a line '# replaces: ID' are needed")
    wrong = path.parent.name == "wrong"
    if wrong != ("fails" in keys) or wrong != ("message" in keys):
        raise ValueError(
            f"{path}: '# fails:' and '# message:' belong in wrong/ and only there; "
            f"this file has {sorted(keys)}"
        )
    code = {cell: "\n".join(lines).strip() for cell, lines in cells.items()}
    fails = read_fails(keys.get("fails", ""), path)
    name = f"{path.parent.name}-{path.stem}"
    told, rule = keys.get("message", ""), keys.get("rule", "")
    return Answer(name, thought, code, fails, told, rule)


def read_fails(text: str, path: Path) -> dict[str, tuple[float, float | None]]:
    """`bptt=12/15, readout` -> {"bptt": (12.0, 15.0), "readout": (0.0, None)}."""
    fails = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        found = KEPT.fullmatch(part)
        if not found:
            raise ValueError(f"{path}: '{part}' is neither ID nor ID=POINTS/POINTS")
        question, kept, best = found.groups()
        fails[question] = (float(kept or 0), float(best) if best else None)
    return fails


def answer_files(set_name: str) -> list[Path]:
    return sorted((ANSWERS / set_name).glob("*/*.py"))


def source(set_name: str):
    """The instructor's notebook of a set."""
    path = ROOT / "solutions" / set_name / f"{set_name}.ipynb"
    return nbformat.read(path, as_version=4)


def meta(cell) -> dict:
    return cell.metadata.get("nbgrader", {})


def questions(book) -> dict[str, float]:
    """The autograded questions of a notebook, with their points."""
    tests = [meta(c) for c in book.cells if meta(c).get("grade")]
    return {m["grade_id"]: float(m["points"]) for m in tests if not m["solution"]}


def solution_cells(book) -> dict[str, str]:
    """The code of the solution cells that students fill in."""
    return {
        meta(cell)["grade_id"]: cell.source
        for cell in book.cells
        if meta(cell).get("solution") and cell.cell_type == "code"
    }


def submission(release, answers: dict[str, str]):
    """The released notebook with `answers` (cell id -> code) written into it."""
    book = nbformat.from_dict(release)  # a deep copy
    for cell in book.cells:
        cell.source = answers.get(meta(cell).get("grade_id"), cell.source)
    return book


def nbgrader(folder: Path, *words: str) -> str:
    """Run a plain nbgrader command in a course folder; returns what it logged."""
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    log = done.stdout + done.stderr
    assert done.returncode == 0, f"nbgrader {' '.join(words)} failed:\n{log[-3000:]}"
    return log


def make_course(folder: Path, set_name: str) -> Path:
    """A course folder with one set, released there; returns the released notebook."""
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    shutil.copytree(ROOT / "solutions" / set_name, folder / "solutions" / set_name)
    release(folder, set_name)
    return folder / "assignments" / set_name / f"{set_name}.ipynb"


def submit(folder: Path, set_name: str, student: str, book) -> None:
    place = folder / "submitted" / student / set_name / f"{set_name}.ipynb"
    place.parent.mkdir(parents=True)
    nbformat.write(book, place)


@dataclass(frozen=True)
class Graded:
    """What one submission got."""

    scores: dict[str, float]  # question -> points
    outputs: dict[str, str]  # question -> what its test cell printed or raised
    public: dict[str, str]  # question -> what the student is told of it


def submissions(set_name: str, answers: list[Answer]) -> dict[str, dict[str, str]]:
    """The answer cells of every student of the bench: student -> cell id -> code."""
    solved = solution_cells(source(set_name))
    made = {answer.name: solved | answer.cells for answer in answers}
    both = {name: solved | cells for name, cells in packed(answers).items()}
    return {"stub": {}, "solution": solved, **made, **sample(solved, answers), **both}


def packed(answers: list[Answer]) -> dict[str, dict[str, str]]:
    """Students who took as many answers at once as there are cells for them.

    Each answer is in one pack: what two ways to run a notebook say of all answers can
    be compared in a few runs.  Which answer loses which points is seen one by one.
    """
    packs: list[dict[str, str]] = []
    for answer in answers:
        free = [pack for pack in packs if not pack.keys() & answer.cells.keys()]
        if not free:
            packs.append({})
        (free or packs[-1:])[0].update(answer.cells)
    return {f"{PACK}{number:02}": pack for number, pack in enumerate(packs)}


def sample(solved: dict[str, str], answers: list[Answer]) -> dict[str, dict[str, str]]:
    """Two students who took, for every cell, one wrong or one right answer."""
    wrong, right = dict(solved), dict(solved)
    for answer in reversed(answers):  # of several for one cell, the first stays
        if answer.rule:
            continue
        (wrong if answer.is_wrong else right).update(answer.cells)
    return dict(zip(MIXED, (wrong, right), strict=True))


def grade(folder: Path, set_name: str, answers: list[Answer]) -> dict[str, Graded]:
    """Grade the solution, the stub, all answers and the mixtures by the engine."""
    made = submissions(set_name, answers)
    release = nbformat.read(make_course(folder, set_name), as_version=4)
    for student, cells in made.items():
        submit(folder, set_name, student, submission(release, cells))
    words = [set_name, "--course", str(folder), "--json", "--no-feedback"]
    words += ["--timeout", str(PATIENCE)]  # a busy machine is not the answer's fault
    done = subprocess.run(
        [sys.executable, "-P", "-m", "course_tools", "grade", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    for row in json.loads(done.stdout)["submissions"]:
        assert not row["incidents"], f"{row['student']}: {row['incidents']}"
    return {student: graded(folder, set_name, student) for student in made}


def grade_plainly(course: Path, folder: Path, set_name: str) -> dict[str, Graded]:
    """Grade the mixtures of a graded course once more, by nbgrader as it comes."""
    for part in ("solutions", *(f"submitted/{student}" for student in MIXED)):
        shutil.copytree(course / part, folder / part)
    config = (course / "nbgrader_config.py").read_text("utf-8")
    without = config + "\nc.pop('Autograde', None)\n"
    (folder / "nbgrader_config.py").write_text(without, "utf-8")
    release(folder, set_name)
    nbgrader(folder, "autograde", set_name)
    return {student: graded(folder, set_name, student) for student in MIXED}


def graded(folder: Path, set_name: str, student: str) -> Graded:
    """Read one student's points from the gradebook and the outputs from autograded/."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as book:
        found = book.find_submission_notebook(set_name, set_name, student)
        scores = {g.name: g.auto_score for g in found.grades}
    path = folder / "autograded" / student / set_name / f"{set_name}.ipynb"
    tests = [c for c in nbformat.read(path, as_version=4).cells if meta(c).get("grade")]
    outputs = {
        meta(c)["grade_id"]: "\n".join(
            o.get("evalue") or o.get("text") or "" for o in c.get("outputs", [])
        )
        for c in tests
    }
    public = {
        meta(c)["grade_id"]: c.metadata.get("grading", {}).get("public", "")
        for c in tests
    }
    return Graded(scores, outputs, public)


def differences(
    scores: dict[str, float],
    full: dict[str, float],
    fails: dict[str, tuple[float, float | None]],
) -> list[str]:
    """Where the points given differ from the points declared, one line each."""
    lines = [f"{q}: the set has no such question" for q in fails if q not in full]
    for question, points in full.items():
        want, best = fails.get(question, (points, None))
        if best not in (None, points):
            lines.append(f"{question}: declared out of {best:g}, worth {points:g}")
        if scores.get(question) != want:
            got = scores.get(question)
            lines.append(f"{question}: {got} points given, {want:g} declared")
    return lines


# ---- the same submissions as `./course check` sees them ----


def checked(
    folder: Path, set_name: str, students: Iterable[str], run: check.Runner
) -> dict[str, check.Check]:
    """What the visible tests say of submissions in a course folder."""

    def patient(job: Job, limits: Limits) -> Result:
        """A busy machine is not the answer's fault."""
        limits = replace(limits, cell_seconds=PATIENCE)
        return run(replace(job, plan=replace(job.plan, limits=limits)), limits)

    def one(student: str) -> check.Check:
        path = folder / "submitted" / student / set_name / f"{set_name}.ipynb"
        return check.check(set_name, check.read(set_name, path), folder, {}, patient)

    return {student: one(student) for student in students}


def disagreements(
    found: check.Check, result: Graded, full: dict[str, float], ends: set[str]
) -> Iterator[str]:
    """Where `check` says something else than `grade` about the visible part.

    `ends` are the questions whose hidden checks come last: if one of those fails,
    every visible check has passed.
    """
    for line in found.lines:
        question, public = line.question, result.public.get(line.question, "")
        if line.score is None:
            continue
        passed, score = line.score == full[question], result.scores[question]
        hidden = public.startswith(HIDDEN)
        if score == full[question] or (hidden and question in ends):
            if not passed:
                yield f"{question}: graded {score:g}, but check says {line.message}"
        elif line.score < score:
            yield f"{question}: {line.score:g} by check, {score:g} by grade"
        elif score == 0 and not hidden and not public.startswith(ANYWHERE):
            told = result.outputs[question]
            # a hidden part in the middle puts lines between, or other seeds into them:
            # what remains the same is the end, the words of the assert
            said = line.message if question in ends else line.message.split("\n")[-1]
            if passed or said not in told:
                yield f"{question}: {line.message or line.status!r}, by grade {told!r}"


def hidden_at_the_end(book) -> set[str]:
    """The tests of a notebook in which no visible statement follows a hidden one."""
    found = set()
    for cell in book.cells:
        hide = hidden_lines(cell.source)
        rest = cell.source.split("\n")[max(hide, default=0) :]
        if hide and all(not line.strip() or line[0] == "#" for line in rest):
            found.add(meta(cell).get("grade_id"))
    return found
