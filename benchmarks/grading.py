"""The same submissions graded by stock `nbgrader autograde` and by this engine.

    python benchmarks/grading.py            print the table
    python benchmarks/grading.py --write    also put it into benchmarks/README.md
    python benchmarks/grading.py ps2_gradients … --write --block grading_sets

A class is made from each set (every student has left another answer open). The two
take turns: in every round nbgrader grades some submissions as it comes, one cold kernel
each, and the engine grades the whole class, sandbox and judge on. Scores must be the
same. nbgrader is not charged for its own start (measured by a run in which there
is nothing left to do); the engine is. Figures are medians over the rounds.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from grading_class import (
    LIGHT,
    engine_command,
    make_class,
    run,
    stored_scores,
    timed,
)
from grading_otter import with_otter
from page import README, write_block

GOAL = 40


@dataclass
class Round:
    """Seconds per submission; `compute` is the processor time of the two processes
    that run the student's cells and the tests."""

    stock: float
    stock_cpu: float
    ours: float
    ours_cpu: float
    compute: float
    otter: float | None = None


def with_nbgrader(course: Path, folder: Path, assignment: str, names: list[str]):
    """Grade some of the students with stock nbgrader; (scores, seconds, processor)."""
    shutil.copytree(course, folder, ignore=shutil.ignore_patterns("student*"))
    for name in names:
        where = f"submitted/{name}"
        shutil.copytree(course / where, folder / where)
    command = ("nbgrader", "autograde", assignment)
    _, wall, cpu = timed(lambda: run(folder, *command))
    _, start, start_cpu = timed(lambda: run(folder, *command))
    each = [(wall - start) / len(names), (cpu - start_cpu) / len(names)]
    return stored_scores(folder, assignment), *each


def one_round(course: Path, scratch: Path, assignment: str, names, options) -> Round:
    """Both sides once, in fresh copies of the course; scores must be equal."""
    few = names[: options.stock]
    stock, wall, cpu = with_nbgrader(course, scratch / "stock", assignment, few)
    shutil.copytree(course, scratch / "ours")
    words = engine_command(assignment, "--workers", str(options.workers))
    words += [] if options.feedback else ["--no-feedback"]
    text, our_wall, our_cpu = timed(lambda: run(scratch / "ours", *words))
    rows = {row["student"]: row for row in json.loads(text)["submissions"]}
    different = [name for name in few if rows[name]["score"] != stock[name]]
    if different or len(rows) != len(names):
        raise SystemExit(f"{assignment}: other scores than nbgrader for {different}")
    compute = sum(row["cpu"] for row in rows.values())
    otter = None
    if options.otter and assignment == LIGHT:
        found, otter, _ = with_otter(course, scratch / "otter", few, options.otter)
        if found != stock:
            raise SystemExit(f"otter gives other scores: {found}, nbgrader {stock}")
        shutil.rmtree(scratch / "otter")
    for folder in ("stock", "ours"):
        shutil.rmtree(scratch / folder)
    ours = [seconds / len(rows) for seconds in (our_wall, our_cpu, compute)]
    return Round(wall, cpu, *ours, otter)


def measure(assignment: str, options) -> list[Round]:
    with tempfile.TemporaryDirectory() as scratch:
        course = Path(scratch) / "course"
        names = make_class(course, assignment, options.submissions)
        return [
            one_round(course, Path(scratch), assignment, names, options)
            for _ in range(options.rounds)
        ]


def line(assignment: str, rounds: list[Round], workers: int) -> str:
    """One row of the table."""

    def middle(value) -> float:
        return statistics.median(map(value, rounds))

    ratios = sorted(r.stock / r.ours for r in rounds)
    # the goal for every set, per submission
    bound = middle(lambda r: 1.25 * r.compute / workers + 0.1 / workers)
    ours = middle(lambda r: r.ours)
    otter = [r.otter for r in rounds if r.otter]
    cells = [
        assignment,
        f"{middle(lambda r: r.stock):.2f}",
        f"{statistics.median(otter):.2f}" if otter else "",
        f"{ours:.3f}",
        f"{statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})",
        f"{middle(lambda r: r.stock_cpu / r.ours_cpu):.1f}",
        f"{middle(lambda r: r.compute / r.ours_cpu):.0%}",
        f"{bound:.3f}: {'met' if ours <= bound else 'missed'}",
    ]
    return "| " + " | ".join(cells) + " |"


def table(results: dict[str, list[Round]], options) -> str:
    load = os.getloadavg()[1]
    head = (
        f"{options.submissions} submissions a class, {options.stock} of them graded by "
        f"nbgrader too, {options.rounds} rounds, {options.workers} workers on "
        f"{os.cpu_count()} cores, {platform.machine()}; load of the machine when this "
        f"was written: {load:.1f}. Equal scores in every round. Goal for the ratio on "
        f"a light set: {GOAL}."
    )
    names = (
        "set",
        "nbgrader, s each",
        "otter run, s each",
        "engine, s each",
        "ratio (lowest to highest)",
        "ratio of processor time",
        "share of students' and test code",
        "goal for s each",
    )
    lines = [head, "", "| " + " | ".join(names) + " |", "|---" + "|---:" * 7 + "|"]
    return "\n".join(lines + [line(*r, options.workers) for r in results.items()])


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=[LIGHT, "ps1_rnn"], metavar="SET")
    parser.add_argument("--submissions", type=int, default=60)
    parser.add_argument("--stock", type=int, default=3, help="graded by nbgrader too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument(
        "--feedback", action="store_true", help="the engine's pages too"
    )
    parser.add_argument("--otter", metavar="PROGRAM", help="otter, for the light set")
    parser.add_argument("--write", action="store_true", help="update README.md")
    parser.add_argument("--block", default="grading", help="which table to update")
    options = parser.parse_args(argv)
    if not 0 < options.stock <= options.submissions or options.rounds < 1:
        parser.error("0 < --stock <= --submissions and --rounds > 0 are needed")
    text = table({name: measure(name, options) for name in options.sets}, options)
    print(text)
    if options.write:
        write_block(README, options.block, text)


if __name__ == "__main__":
    main()
