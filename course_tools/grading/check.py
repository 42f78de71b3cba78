"""`./course check`: the grader itself on one's own notebook, visible tests only.

The same judge, limits and words as `grade`. The notebook runs in a sandbox where one
can be made, and without one elsewhere: it is the student's own code. On Linux processes
are forked from a warm one; elsewhere each is started on its own.
"""

import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from course_tools.errors import CommandError
from course_tools.grading.bridge import files
from course_tools.grading.course.course import load_config, timeout_of
from course_tools.grading.course.problem_sets import read_notebook
from course_tools.grading.limits import Limits
from course_tools.grading.messages import Job, Question, Result
from course_tools.grading.plan import planning, rebuild
from course_tools.grading.plan.answer_key import AnswerKey
from course_tools.grading.plan.released import (
    is_graded,
    is_untouched,
    meta,
    read_key,
)
from course_tools.grading.run import results
from course_tools.grading.text import printable

WIDTH = 88  # columns of the report
WORDS = {"partial": "partly", "lost": "failed", "timeout": "failed"}


@dataclass(frozen=True)
class Line:
    """One question in the report of a check."""

    question: str
    points: float
    score: float | None  # None: marked by hand
    status: str
    message: str = ""


@dataclass(frozen=True)
class Check:
    """What the visible tests say, and what else there is to say."""

    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        tested = [line for line in self.lines if line.score is not None]
        return all(line.score == line.points for line in tested)


def read(name: str, path: Path) -> NotebookNode:
    """The notebook in `path`, which must have questions."""
    book = read_notebook(path)
    if not any(map(is_graded, book.cells)):
        reason = f"{path} has no test cells; is it the notebook of {name}?"
        raise CommandError(reason, code=2)
    return book


def check(
    name: str,
    book: NotebookNode,
    root: Path,
    expected: Mapping[str, float],
    run: "Runner | None" = None,
) -> Check:
    """Run a notebook as `grade` would; `expected` names its questions.

    `run` says in which processes; by default in the best that this machine offers.
    """
    key = read_key(name, book)
    seconds = timeout_of(load_config(str(root))) or Limits.cell_seconds
    limits = Limits(cell_seconds=seconds)
    incidents: list[str] = []
    cells = [rebuild.plain_cell(cell) for cell in book.cells]
    notebook = rebuild.rebuild(cells, key, [])  # the key is this very notebook
    beside = files.collect(str(root / "assignments" / name), incidents)
    job = Job(planning.make_plan(notebook, key, limits), beside, beside)
    run = run or (run_forked if sys.platform == "linux" else run_plainly)
    result = run(job, limits)
    questions = {q.id: q for q in results.fill_in(notebook, key, result, limits)}
    lines = [_line(cell, notebook, questions) for cell in filter(is_graded, book.cells)]
    lines += [
        Line(question, points, 0.0, "missing", "its cell is not in the notebook")
        for question, points in expected.items()
        if question not in key.cells
    ]
    notes = [*_changed(book, key), *incidents, *result.incidents]
    return Check(tuple(lines), tuple(dict.fromkeys(notes)))


Runner = Callable[[Job, Limits], Result]


def run_forked(job: Job, limits: Limits) -> Result:
    """On Linux: in a sandbox if this machine allows one."""
    from course_tools.grading.run.workers import LocalWorkers
    from course_tools.grading.run.zygote_client import NoSandbox

    try:
        with LocalWorkers(1, limits) as workers:
            return workers.submit(job).result()
    except NoSandbox:
        with LocalWorkers(1, limits, unsafe=True) as workers:
            return workers.submit(job).result()


def run_plainly(job: Job, limits: Limits) -> Result:
    """Anywhere: in two processes of their own, without a sandbox."""
    from course_tools.grading.run.job import Place, run
    from course_tools.grading.run.plain_processes import PlainProcesses

    with PlainProcesses(limits) as processes:
        return run(job, Place(processes))


def _line(
    cell: NotebookNode, notebook: NotebookNode, questions: Mapping[str, Question]
) -> Line:
    """What is to be said about one graded cell of the student's notebook."""
    name, points = meta(cell)["grade_id"], float(meta(cell)["points"])
    if meta(cell).get("solution"):
        status = "not attempted" if is_untouched(cell) else "answered"
        return Line(name, points, None, status, "marked by hand")
    if meta(cell).get("checksum") and not is_untouched(cell):
        note = "the test cell was changed; grading uses the original"
        return Line(name, points, 0.0, "changed", note)
    question = questions[name]
    if question.score == points:
        return Line(name, points, points, "passed")
    answer = _answer_to(name, notebook)
    if answer is not None and is_untouched(answer):
        return Line(name, points, 0.0, "not attempted")
    message = question.message
    if answer is not None and (broken := _error(answer)):
        message = f"the answer cell itself fails: {broken}"
    status = WORDS.get(question.status, question.status)
    return Line(name, points, question.score, status, message)


def _answer_to(name: str, notebook: NotebookNode) -> NotebookNode | None:
    """The answer that a test belongs to: the last solution cell above it."""
    answer = None
    for cell in notebook.cells:
        if meta(cell).get("grade_id") == name:
            break
        if meta(cell).get("solution"):
            answer = cell
    return answer


def _error(cell: NotebookNode) -> str:
    """The exception a cell ended with; an assert is quoted without its class."""
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            known = output.ename == "AssertionError"
            return output.evalue if known else f"{output.ename}: {output.evalue}"
    return ""


def _changed(book: NotebookNode, key: AnswerKey) -> list[str]:
    """Locked cells that hold no test and are not as they were released."""
    return [
        f"the locked cell {meta(cell)['grade_id']} was changed; the original counts"
        for cell in book.cells
        if meta(cell).get("locked")
        and not is_graded(cell)
        and meta(cell).get("checksum")
        and not is_untouched(cell)
    ]


def show(result: Check) -> int:
    """Print the table; returns 0 if every visible test passes, else 1."""
    wide = max(len(line.question) for line in result.lines)
    for line in result.lines:
        score = "-" if line.score is None else f"{line.score:g}"
        head = f"  {line.question:{wide}} {score:>5} / {line.points:<4g} {line.status}"
        if line.message and line.status in ("answered", "not attempted"):
            head += f", {line.message}"
        print(head)
        if line.score is not None:
            for part in map(printable, line.message.expandtabs().splitlines()):
                print(textwrap.indent(textwrap.fill(part, WIDTH - 6), " " * 6))
    for note in result.notes:
        print(f"note: {printable(note)}")
    tested = [
        (line.score, line.points) for line in result.lines if line.score is not None
    ]
    score, points = sum(s for s, _ in tested), sum(p for _, p in tested)
    by_hand = sum(line.points for line in result.lines if line.score is None)
    print(f"Visible tests: {score:g} of {points:g} points", end="")
    print(f"; {by_hand:g} more are marked by hand." if by_hand else ".")
    print("The grade also counts hidden tests: the same questions with other inputs.")
    return 0 if result.passed else 1
