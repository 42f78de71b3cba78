"""From the arrival of a file to its page of feedback, while `grade --watch` runs.

    python benchmarks/grading_watch.py            print the table
    python benchmarks/grading_watch.py --write    also put it into benchmarks/README.md

A class hands in the light set, one student after the other, each by one rename, as
`nbgrader collect` and a careful copy do. The clock runs from the rename until the page
of feedback has its name. Every fourth hand-in is then replaced by a better one.
"""

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from grading_class import LIGHT, engine_command, make_class, stored_scores
from page import README, write_block

GOAL = 1.0  # seconds at the median
PATIENCE = 120.0  # seconds for one page, then something is broken


def watch(folder: Path, workers: int) -> subprocess.Popen:
    """Start it and wait until it is warm: its first line says so."""
    command = engine_command(LIGHT, "--watch", "--workers", str(workers))
    command.remove("--json")
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    if "watching" not in process.stdout.readline():
        raise SystemExit("the watch did not start")
    return process


def arrival(folder: Path, source: Path, student: str) -> float:
    """Hand in `source` as this student's; return the seconds until the page is new."""
    target = folder / "submitted" / student / LIGHT
    page = folder / "feedback" / student / LIGHT / f"{LIGHT}.html"
    before = page.stat().st_mtime_ns if page.exists() else 0
    target.mkdir(parents=True, exist_ok=True)
    draft = folder / "draft.ipynb"
    shutil.copy(source, draft)
    start = time.perf_counter()
    os.replace(draft, target / f"{LIGHT}.ipynb")
    while not page.exists() or page.stat().st_mtime_ns == before:
        if time.perf_counter() - start > PATIENCE:
            raise SystemExit(f"no page for {student} in {PATIENCE:g} s")
        time.sleep(0.002)
    return time.perf_counter() - start


def measure(count: int, workers: int) -> dict[str, list[float]]:
    """Seconds of first and of second hand-ins; the scores must be right."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "course"
        names = make_class(folder, LIGHT, count)
        files = folder / "handed_in"
        os.rename(folder / "submitted", files)
        best = files / names[3] / LIGHT / f"{LIGHT}.ipynb"  # the one without a gap
        process = watch(folder, workers)
        try:
            found: dict[str, list[float]] = {"handed in": [], "handed in again": []}
            for number, name in enumerate(names):
                source = files / name / LIGHT / f"{LIGHT}.ipynb"
                found["handed in"].append(arrival(folder, source, name))
                if number % 4 == 1:  # has left an answer open
                    again = arrival(folder, best, name)
                    found["handed in again"].append(again)
        finally:
            process.kill()
            process.wait()
        scores = stored_scores(folder, LIGHT)
        if len(scores) != count or any(scores[n] != 6.0 for n in names[1::4]):
            raise SystemExit(f"wrong scores: {scores}")
        return found


def table(found: dict[str, list[float]], workers: int) -> str:
    load = os.getloadavg()[1]
    head = (
        f"The light set, {workers} workers on {os.cpu_count()} cores, "
        f"{platform.machine()}; load of the machine when this was written: {load:.1f}. "
        f"Goal for the median: {GOAL:g} s."
    )
    lines = [
        head,
        "",
        "| | submissions | median, s | slowest, s |",
        "|---|---:|---:|---:|",
    ]
    for name, seconds in found.items():
        middle = statistics.median(seconds)
        state = "met" if middle <= GOAL else "**missed**"
        lines.append(
            f"| {name} | {len(seconds)} | {middle:.2f}: {state} | {max(seconds):.2f} |"
        )
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--submissions", type=int, default=24)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help="update README.md")
    options = parser.parse_args(argv)
    if options.submissions < 4:
        parser.error("--submissions must be at least 4")
    text = table(measure(options.submissions, options.workers), options.workers)
    print(text)
    if options.write:
        write_block(README, "grading_watch", text)


if __name__ == "__main__":
    main()
