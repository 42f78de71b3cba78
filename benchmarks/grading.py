"""The same submissions graded by stock `nbgrader autograde` and by this engine.

    python benchmarks/grading.py            print the table
    python benchmarks/grading.py --write    also put it into benchmarks/README.md
    python benchmarks/grading.py ps2_gradients … --classes 48 --block grading_sets

A class is made from each set (every student has left another answer open). The two
take turns: in every round nbgrader grades some submissions as it comes, one cold kernel
each, and the engine grades classes of several sizes, sandbox and judge on, without
and with pages of feedback. Scores must be the same. The engine is charged for its own
start; nbgrader is not (measured by a run in which there is nothing left to do), but
in a class of one, where both are timed from pressing return. Goals are for
the lowest ratio of all rounds, without feedback, which nbgrader writes by another
command.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import tempfile
from collections.abc import Iterable, Iterator
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

# how many times as fast as nbgrader, by set and size of the class
GOALS = {(LIGHT, 60): 60, (LIGHT, 300): 100, ("ps1_rnn", 60): 40, ("ps1_rnn", 300): 60}
ONE_SECONDS = 2.0  # for one submission, from pressing return


@dataclass(frozen=True)
class Stock:
    """nbgrader in one round: seconds for each submission, and for its start."""

    each: float
    each_cpu: float
    start: float

    def for_class(self, size: int) -> float:
        """Seconds for a class; the start counts only where it is one submission."""
        return size * self.each + (self.start if size == 1 else 0.0)


@dataclass(frozen=True)
class Engine:
    """The engine in one round: seconds for a class, of the clock and the processor.

    `compute` is the processor time of the two processes that run cells and tests.
    """

    wall: float
    cpu: float
    compute: float


@dataclass(frozen=True)
class Round:
    """Both sides; the engine by size of the class, without and with feedback."""

    stock: Stock
    bare: dict[int, Engine]
    paged: dict[int, Engine]

    def ratio(self, size: int) -> float:
        return self.stock.for_class(size) / self.bare[size].wall


def some_of(course: Path, folder: Path, names: Iterable[str]) -> None:
    """Copy a course with the submissions of some of its students."""
    shutil.copytree(course, folder, ignore=shutil.ignore_patterns("student*"))
    for name in names:
        where = f"submitted/{name}"
        shutil.copytree(course / where, folder / where)


def with_nbgrader(
    course: Path, folder: Path, assignment: str, names: list[str]
) -> tuple[dict[str, float], Stock]:
    """Grade some of the students with stock nbgrader: their scores, and seconds."""
    some_of(course, folder, names)
    command = ("nbgrader", "autograde", assignment)
    _, wall, cpu = timed(lambda: run(folder, *command))
    _, start, start_cpu = timed(lambda: run(folder, *command))
    each, each_cpu = (wall - start) / len(names), (cpu - start_cpu) / len(names)
    scores = stored_scores(folder, assignment)
    shutil.rmtree(folder)
    return scores, Stock(each, each_cpu, start)


def with_engine(
    course: Path, folder: Path, assignment: str, names: list[str], words: list[str]
) -> tuple[dict[str, float], Engine]:
    """Grade a class of these students: their scores, and seconds."""
    some_of(course, folder, names)
    command = engine_command(assignment, *words)
    text, wall, cpu = timed(lambda: run(folder, *command))
    rows = json.loads(text)["submissions"]
    shutil.rmtree(folder)
    scores = {row["student"]: row["score"] for row in rows}
    return scores, Engine(wall, cpu, sum(row["cpu"] for row in rows))


def one_round(
    course: Path, scratch: Path, assignment: str, names: list[str], options
) -> Round:
    """Both sides once, in fresh copies of the course; scores must be equal."""
    few = names[: options.stock]
    expected, stock = with_nbgrader(course, scratch / "stock", assignment, few)
    workers = ["--workers", str(options.workers)]
    measured: dict[str, dict[int, Engine]] = {"--no-feedback": {}, "": {}}
    for word, engines in measured.items():
        words = [*workers, *filter(None, [word])]
        for size in options.classes:
            these = names[:size]
            scores, engines[size] = with_engine(
                course, scratch / "ours", assignment, these, words
            )
            if sorted(scores) != these or any(
                scores[name] != expected[name] for name in few[:size]
            ):
                raise SystemExit(f"{assignment}: other scores than nbgrader")
    if options.otter and assignment == LIGHT:
        scores, each, _ = with_otter(course, scratch / "otter", few, options.otter)
        if scores != expected:
            raise SystemExit(f"otter gives other scores: {scores}, not {expected}")
        print(f"otter run: {each:.2f} s each")
        shutil.rmtree(scratch / "otter")
    return Round(stock, measured["--no-feedback"], measured[""])


def measure(assignment: str, options) -> list[Round]:
    with tempfile.TemporaryDirectory() as scratch:
        course = Path(scratch) / "course"
        names = make_class(course, assignment, max(options.classes))
        return [
            one_round(course, Path(scratch), assignment, names, options)
            for _ in range(options.rounds)
        ]


def judged(assignment: str, size: int, rounds: list[Round], workers: int) -> str:
    """The goal of a row, and whether it is met in every round."""
    slowest = max(r.bare[size].wall for r in rounds)
    lowest = min(r.ratio(size) for r in rounds)
    if size == 1:
        met = slowest <= ONE_SECONDS and lowest >= 1
        return f"{ONE_SECONDS:g} s, ratio 1: {'met' if met else 'missed'}"
    if goal := GOALS.get((assignment, size)):
        return f"ratio {goal}: {'met' if lowest >= goal else 'missed'}"
    # sets that train: 1.1 times their own computing on all cores, 0.05 s each
    bounds = [1.1 * r.bare[size].compute / workers + 0.05 * size for r in rounds]
    walls = [r.bare[size].wall for r in rounds]
    met = all(wall <= bound for wall, bound in zip(walls, bounds, strict=True))
    bound = statistics.median(bounds) / size
    return f"{bound:.3f} s each: {'met' if met else 'missed'}"


def rows(assignment: str, rounds: list[Round], workers: int) -> Iterator[str]:
    """The rows of a set, one for each size of the class."""
    middle = statistics.median
    for size in rounds[0].bare:
        bare = [r.bare[size] for r in rounds]
        ratios = sorted(r.ratio(size) for r in rounds)
        cells = [
            assignment,
            f"{size}",
            f"{middle(r.stock.for_class(size) / size for r in rounds):.2f}",
            f"{middle(e.wall for e in bare) / size:.3f}",
            f"{middle(r.paged[size].wall for r in rounds) / size:.3f}",
            f"{middle(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})",
            f"{middle(r.stock.each_cpu * size / r.bare[size].cpu for r in rounds):.1f}",
            f"{middle(e.compute / e.cpu for e in bare):.0%}",
            judged(assignment, size, rounds, workers),
        ]
        yield "| " + " | ".join(cells) + " |"


def table(results: dict[str, list[Round]], options) -> str:
    load = os.getloadavg()[1]
    rounds = "1 round" if options.rounds == 1 else f"{options.rounds} rounds"
    head = (
        f"{rounds}, in each of which nbgrader graded {options.stock} submissions and "
        f"the engine whole classes; {options.workers} workers on {os.cpu_count()} "
        f"cores, {platform.machine()}; load of the machine when this was written: "
        f"{load:.1f}. Equal scores in every round."
    )
    names = (
        "set",
        "class",
        "nbgrader, s each",
        "engine, s each",
        "with feedback",
        "ratio (lowest to highest)",
        "ratio of processor time",
        "share of students' and test code",
        "goal for the lowest",
    )
    lines = [head, "", "| " + " | ".join(names) + " |", "|---" + "|---:" * 8 + "|"]
    for assignment, measured in results.items():
        lines += rows(assignment, measured, options.workers)
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=[LIGHT, "ps1_rnn"], metavar="SET")
    parser.add_argument(
        "--classes", type=int, nargs="+", default=[1, 60, 300], metavar="SIZE"
    )
    parser.add_argument("--stock", type=int, default=3, help="graded by nbgrader too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--otter", metavar="PROGRAM", help="otter, for the light set")
    parser.add_argument("--write", action="store_true", help="update README.md")
    parser.add_argument("--block", default="grading", help="which table to update")
    options = parser.parse_args(argv)
    sizes = (options.stock, options.rounds, *options.classes)
    if min(sizes) < 1 or options.stock > max(options.classes):
        parser.error("sizes and --rounds from 1; --stock at most the largest class")
    text = table({name: measure(name, options) for name in options.sets}, options)
    print(text)
    if options.write:
        write_block(README, options.block, text)


if __name__ == "__main__":
    main()
