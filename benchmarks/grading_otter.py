"""The light set, graded by otter-grader's `otter run`, one submission after the other.

otter-grader is no part of the course; install it somewhere, with torch, and name its
program: `python benchmarks/grading.py light --otter PATH/TO/otter`. Its tests are
written from the same questions, as doctests, which is otter's own form.
"""

import json
import shutil
from pathlib import Path

from grading_class import LIGHT, QUESTIONS, run, timed


def write_tests(folder: Path) -> None:
    folder.mkdir()
    for name, (_, *checks) in QUESTIONS.items():
        codes = [f">>> bool({check.removeprefix('assert ')})\nTrue" for check in checks]
        cases = [
            {"code": code, "hidden": position > 0, "locked": False}
            for position, code in enumerate(codes)
        ]
        suite = {"cases": cases, "scored": True, "type": "doctest"}
        suite |= {"setup": "", "teardown": ""}
        test = {"name": name, "points": 2, "suites": [suite]}
        (folder / f"{name}.py").write_text(f"OK_FORMAT = True\ntest = {test!r}\n")


def with_otter(course: Path, folder: Path, names: list[str], program: str):
    """Grade some of the students; ({student: score}, seconds each, processor each)."""
    folder.mkdir()
    write_tests(folder / "tests")
    program = str(Path(program).absolute())
    run(folder, program, "generate", "-t", "tests", "-o", "light.zip")
    for name in names:
        source = course / "submitted" / name / LIGHT / f"{LIGHT}.ipynb"
        shutil.copy(source, folder / f"{name}.ipynb")

    def grade_all() -> dict[str, float]:
        return {name: grade_one(folder, name, program) for name in names}

    scores, wall, cpu = timed(grade_all)
    return scores, wall / len(names), cpu / len(names)


def grade_one(folder: Path, name: str, program: str) -> float:
    words = ("run", "--no-logo", "-a", "light.zip", "-o", f"out_{name}")
    (folder / f"out_{name}").mkdir()
    run(folder, program, *words, f"{name}.ipynb")
    results = json.loads((folder / f"out_{name}" / "results.json").read_text())
    return float(sum(test.get("score", 0.0) for test in results["tests"]))
