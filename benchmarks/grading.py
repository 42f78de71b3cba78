"""The same submissions with stock `nbgrader autograde` and with this engine.

    python benchmarks/grading.py --assignment ps1_rnn --submissions 60 --stock 4

Makes a class from the instructor's notebook (every student has left another answer
open), grades `--stock` of them with nbgrader as it comes, all of them with the engine
(sandbox and judge on, autograded notebooks written; feedback only with --feedback),
compares the scores, and prints one table.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nbgrader.api import Gradebook

ROOT = Path(__file__).resolve().parent.parent
GRADE = "import sys; from course_lib.grading.command import grade; "
GRADE += "sys.exit(grade(sys.argv[1:]))"


def text_of(cell):
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def answers(cells):
    """Return {grade id: text} of the answer cells."""
    found = {}
    for cell in cells:
        meta = cell["metadata"].get("nbgrader", {})
        if meta.get("solution") and cell["cell_type"] == "code":
            found[meta["grade_id"]] = text_of(cell)
    return found


def make_class(folder, assignment, count):
    """Write a course and its submissions; return the names of the students."""
    source = folder / "source" / assignment
    shutil.copytree(ROOT / "solutions" / assignment, source)
    (folder / "nbgrader_config.py").write_text("c = get_config()\n")
    run(folder, "nbgrader", "generate_assignment", assignment)
    released = folder / "release" / assignment
    names = [f"student{number:04}" for number in range(count)]
    for path in sorted(source.glob("*.ipynb")):
        solved = answers(json.loads(path.read_text())["cells"])
        stubs = json.loads((released / path.name).read_text())
        left_open = [*solved, None]
        for number, name in enumerate(names):
            missing = left_open[number % len(left_open)]
            target = folder / "submitted" / name / assignment
            target.mkdir(parents=True, exist_ok=True)
            one = json.loads(json.dumps(stubs))
            for cell in one["cells"]:
                grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
                if grade_id in solved and grade_id != missing:
                    cell["source"] = solved[grade_id]
            (target / path.name).write_text(json.dumps(one))
    return names


def run(folder, program, *arguments):
    """Run a program of this environment in the course folder; return its output."""
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")
    done = subprocess.run(
        [program, *arguments],
        cwd=folder,
        env=dict(os.environ, PATH=path),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{program} {' '.join(arguments)} failed:\n{done.stderr[-3000:]}")
    return done.stdout


def timed(action):
    """Return (result, wall seconds, cpu seconds of all processes it started)."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    result = action()
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return result, wall, cpu


def with_nbgrader(folder, assignment, names):
    """Grade some of the students with stock nbgrader; return scores and times."""
    copy = folder.parent / "stock"
    shutil.copytree(folder, copy)
    for name in os.listdir(copy / "submitted"):
        if name not in names:
            shutil.rmtree(copy / "submitted" / name)
    _, wall, cpu = timed(lambda: run(copy, "nbgrader", "autograde", assignment))
    with Gradebook(f"sqlite:///{copy}/gradebook.db") as gradebook:
        found = gradebook.assignment_submissions(assignment)
        return {item.student_id: item.score for item in found}, wall, cpu


def with_engine(folder, assignment, arguments):
    output, wall, cpu = timed(
        lambda: run(
            folder, sys.executable, "-c", GRADE, assignment, "--json", *arguments
        )
    )
    return json.loads(output), wall, cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--assignment", default="ps1_rnn")
    parser.add_argument("--submissions", type=int, default=60)
    parser.add_argument("--stock", type=int, default=4, help="graded by nbgrader too")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--feedback", action="store_true")
    options = parser.parse_args()
    arguments = ["--workers", str(options.workers)]
    if not options.feedback:
        arguments.append("--no-feedback")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "course"
        names = make_class(folder, options.assignment, options.submissions)
        stock, stock_wall, stock_cpu = with_nbgrader(
            folder, options.assignment, names[: options.stock]
        )
        report, wall, cpu = with_engine(folder, options.assignment, arguments)
    show(options, stock, stock_wall, stock_cpu, report, wall, cpu)


def show(options, stock, stock_wall, stock_cpu, report, wall, cpu):
    """Print the table and whether the scores are the same."""
    rows = {row["student"]: row for row in report["submissions"]}
    different = [name for name in stock if rows[name]["score"] != stock[name]]
    each, each_stock = wall / len(rows), stock_wall / max(len(stock), 1)
    compute = sum(row["cpu"] for row in rows.values())
    print(f"{options.assignment}, {options.workers} workers, {os.cpu_count()} cores")
    print(f"{'':<20}{'submissions':>12}{'wall s':>9}{'s each':>9}{'cpu s each':>12}")
    for name, count, seconds, used in (
        ("nbgrader autograde", len(stock), stock_wall, stock_cpu),
        ("this engine", len(rows), wall, cpu),
    ):
        count = max(count, 1)
        print(
            f"{name:<20}{count:>12}{seconds:>9.1f}{seconds / count:>9.3f}"
            f"{used / count:>12.3f}"
        )
    bound = 1.25 * compute / options.workers + 0.1 * len(rows) / options.workers
    print(f"throughput ratio {each_stock / each:.1f}")
    print(f"cpu of student and test code {compute:.1f} s, {compute / cpu:.0%} of all")
    print(f"wall time {wall:.1f} s; 1.25 compute / cores + 0.1 s each: {bound:.1f} s")
    print("scores: " + ("equal" if not different else f"different for {different}"))


if __name__ == "__main__":
    main()
