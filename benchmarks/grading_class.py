"""Made-up classes for the benchmarks of grading: courses, submissions, timed runs."""

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

from nbformat import v4
from nbgrader.api import Gradebook

ROOT = Path(__file__).resolve().parent.parent
LIGHT = "light"  # a set that is made here: three short questions about torch
SET_UP = "import numpy as np\nimport torch"
QUESTIONS = {
    "double": ("return 2 * x", "assert double(3) == 6", "assert double(-7) == -14"),
    "norm": (
        "return torch.sqrt((x * x).sum())",
        "assert torch.isclose(norm(torch.ones(4)), torch.tensor(2.0))",
        "assert norm(torch.zeros(3)) == 0",
    ),
    "mean": (
        "return x.sum(0) / len(x)",
        "assert np.allclose(mean(np.ones((3, 5))), 1)",
        "assert mean(np.arange(22.0).reshape(11, 2)).shape == (2,)",
    ),
}
HIDDEN = "{}\n### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"


def cell(name: str, source: str, solution=False, points=0):
    """A code cell of nbgrader: an answer, a test with points, or a locked cell."""
    made = v4.new_code_cell(source)
    meta = {"grade_id": name, "schema_version": 3, "task": False, "solution": solution}
    meta |= {"locked": not solution, "grade": bool(points)}
    made.metadata["nbgrader"] = meta | ({"points": points} if points else {})
    return made


def light_notebook():
    cells = [cell("set_up", SET_UP)]
    for name, (answer, shown, hidden) in QUESTIONS.items():
        body = f"    ### BEGIN SOLUTION\n    {answer}\n    ### END SOLUTION"
        cells.append(cell(f"answer_{name}", f"def {name}(x):\n{body}", solution=True))
        cells.append(cell(name, HIDDEN.format(shown, hidden), points=2))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def answers(cells: list[dict]) -> dict[str, str]:
    """The text of the code cells that students fill in, by their names."""
    found = {}
    for one in cells:
        meta = one["metadata"].get("nbgrader", {})
        if meta.get("solution") and one["cell_type"] == "code":
            found[meta["grade_id"]] = "".join(one["source"])
    return found


def make_class(folder: Path, assignment: str, count: int) -> list[str]:
    """Write a course and its submissions; return the names of the students.

    Every student has left another answer open, and some have left none.
    """
    source = folder / "source" / assignment
    if assignment == LIGHT:
        source.mkdir(parents=True)
        (source / f"{LIGHT}.ipynb").write_text(json.dumps(light_notebook()))
    else:
        shutil.copytree(ROOT / "solutions" / assignment, source)
    (folder / "nbgrader_config.py").write_text("c = get_config()\n")
    run(folder, "nbgrader", "generate_assignment", assignment)
    names = [f"student{number:04}" for number in range(count)]
    for path in sorted(source.glob("*.ipynb")):
        solved = answers(json.loads(path.read_text())["cells"])
        stubs = (folder / "release" / assignment / path.name).read_text()
        for number, name in enumerate(names):
            missing = [*solved, None][number % (len(solved) + 1)]
            target = folder / "submitted" / name / assignment
            target.mkdir(parents=True, exist_ok=True)
            text = fill_in(json.loads(stubs), solved, missing)
            (target / path.name).write_text(text)
    return names


def fill_in(notebook: dict, solved: dict[str, str], missing: str | None) -> str:
    for one in notebook["cells"]:
        name = one["metadata"].get("nbgrader", {}).get("grade_id")
        if name in solved and name != missing:
            one["source"] = solved[name]
    return json.dumps(notebook)


def run(folder: Path, program: str, *arguments: str) -> str:
    """Run a program of this environment in the course folder; return its output."""
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")
    done = subprocess.run(
        [program, *arguments],
        cwd=folder,
        env=dict(os.environ, PATH=path),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{program} {' '.join(arguments)} failed:\n{done.stderr[-3000:]}")
    return done.stdout


def engine_command(assignment: str, *arguments: str) -> list[str]:
    words = ["-P", "-m", "course_tools", "grade", assignment, "--course", "."]
    return [sys.executable, *words, "--json", *arguments]


def timed(action) -> tuple:
    """Return (result, wall seconds, processor seconds of all it started)."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    result = action()
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return result, wall, cpu


def stored_scores(folder: Path, assignment: str) -> dict[str, float]:
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        found = gradebook.assignment_submissions(assignment)
        return {item.student_id: item.score for item in found}
