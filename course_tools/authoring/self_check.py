"""What the visible tests of a problem set say about a student's notebook.

The notebook is run in a fresh kernel, past all errors, and each test cell is judged by
nbgrader's own rules: an error or anything on stderr costs the points of the cell, a
number as its last expression is partial credit.
"""

import shutil
import subprocess
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

SECONDS_PER_CELL = 60  # as Execute.timeout in nbgrader_config.py
WIDTH = 88  # columns of the report


@dataclass
class Row:
    """One question in the report."""

    question: str
    points: float
    score: float | None  # None: marked by hand
    status: str
    message: str = ""


def nbgrader_meta(cell: "NotebookNode") -> dict:
    return cell.metadata.get("nbgrader", {})


def is_graded(cell: "NotebookNode") -> bool:
    return bool(nbgrader_meta(cell).get("grade"))


def run(book: "NotebookNode", files: Path) -> str:
    """Execute `book` past all errors, in a fresh kernel and a copy of folder `files`.

    Returns what ended the run early, or "" if nothing did.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import DeadKernelError

    for cell in book.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    late = f"the cell was stopped after {SECONDS_PER_CELL} s: an endless loop?"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "notebook"
        if files.is_dir():
            shutil.copytree(files, folder)
        else:
            folder.mkdir()
        client = NotebookClient(
            book,
            kernel_name="python3",
            allow_errors=True,
            timeout=SECONDS_PER_CELL,
            interrupt_on_timeout=True,
            error_on_timeout={"ename": "Timeout", "evalue": late, "traceback": []},
            on_cell_executed=keep_error,
            resources={"metadata": {"path": str(folder)}},
        )
        try:
            # The kernel's own log on stderr is of no use to a student.
            client.execute(stderr=subprocess.DEVNULL)
        except DeadKernelError:
            return "The kernel died (a crash, or out of memory); the rest was not run."
    return ""


def keep_error(cell: "NotebookNode", cell_index: int, execute_reply: dict) -> None:
    """Make sure that a cell which was stopped shows an error, as nbgrader does."""
    from nbformat.v4 import new_output

    content = execute_reply["content"]
    seen = any(output.output_type == "error" for output in cell.outputs)
    if content["status"] == "error" and (content["ename"] == "Timeout" or not seen):
        fields = {key: content[key] for key in ("ename", "evalue", "traceback")}
        cell.outputs.insert(0, new_output("error", **fields))


def rows(book: "NotebookNode", expected: dict[str, float]) -> list[Row]:
    """The judgement of every question; `expected` names those that must be there."""
    found = [judge(cell, book) for cell in book.cells if is_graded(cell)]
    present = {row.question for row in found}
    return found + [
        Row(question, points, 0.0, "missing", "its cell is not in the notebook")
        for question, points in expected.items()
        if question not in present
    ]


def judge(cell: "NotebookNode", book: "NotebookNode") -> Row:
    """What one graded cell of the executed notebook says."""
    from nbgrader.utils import determine_grade

    meta = nbgrader_meta(cell)
    question, points = meta["grade_id"], float(meta["points"])
    if meta["solution"]:
        status = "not attempted" if is_untouched(cell) else "answered"
        return Row(question, points, None, status, "marked by hand")
    if "checksum" in meta and not is_untouched(cell):
        note = "the test cell was changed; grading uses the original"
        return Row(question, points, 0.0, "changed", note)
    if cell.execution_count is None:
        return Row(question, points, 0.0, "not run")
    score, _ = determine_grade(cell)
    if score == points:
        return Row(question, points, score, "passed")
    answer = answer_to(cell, book)
    if answer is not None and is_untouched(answer):
        return Row(question, points, 0.0, "not attempted")
    message = "\n".join(complaints(cell))
    if answer is not None and (broken := errors(answer)):
        message = f"the answer cell itself fails: {broken[0]}"
    return Row(question, points, score, "partly" if score else "failed", message)


def is_untouched(cell: "NotebookNode") -> bool:
    """Whether a cell is still as it was released."""
    from nbgrader.utils import compute_checksum

    return nbgrader_meta(cell).get("checksum") == compute_checksum(cell)


def answer_to(cell: "NotebookNode", book: "NotebookNode") -> "NotebookNode | None":
    """The answer that a test belongs to: the last solution cell above it."""
    above = book.cells[: book.cells.index(cell)]
    answers = [c for c in above if nbgrader_meta(c).get("solution")]
    return answers[-1] if answers else None


def errors(cell: "NotebookNode") -> list[str]:
    """The exceptions a cell ended with; an assert is quoted without its class."""
    found = [o for o in cell.get("outputs", []) if o.output_type == "error"]
    return [
        o.evalue if o.ename == "AssertionError" else f"{o.ename}: {o.evalue}"
        for o in found
    ]


def complaints(cell: "NotebookNode") -> list[str]:
    """Why a test cell gave no full marks, the most telling lines first."""
    if found := errors(cell):
        return found
    streams = {o.name: o.text for o in cell.outputs if o.output_type == "stream"}
    if "stderr" in streams:  # nbgrader counts it as an error
        return [f"wrote to stderr: {streams['stderr'].strip().splitlines()[-1]}"]
    return streams.get("stdout", "").strip().splitlines()


def report(found: list[Row], death: str = "") -> int:
    """Print the table; returns 0 if every visible test passes, else 1."""
    wide = max(len(row.question) for row in found)
    for row in found:
        score = "-" if row.score is None else f"{row.score:g}"
        head = f"  {row.question:{wide}} {score:>5} / {row.points:<4g} {row.status}"
        if row.message and row.status in ("answered", "not attempted"):
            head += f", {row.message}"
        print(head)
        if row.score is not None:
            for line in row.message.splitlines():
                print(textwrap.indent(textwrap.fill(line, WIDTH - 6), " " * 6))
    if death:
        print(death)
    tested = [row for row in found if row.score is not None]
    got, best = sum(r.score or 0 for r in tested), sum(r.points for r in tested)
    by_hand = sum(row.points for row in found if row.score is None)
    print(f"Visible tests: {got:g} of {best:g} points", end="")
    print(f"; {by_hand:g} more are marked by hand." if by_hand else ".")
    print("The grade also counts hidden tests: the same questions with other inputs.")
    return 0 if all(row.status == "passed" for row in tested) else 1
