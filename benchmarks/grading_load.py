"""Grading under load and under fire: a class of 1,000, and a run that is killed.

    python benchmarks/grading_load.py memory --submissions 1000
    python benchmarks/grading_load.py kills --submissions 200

`memory` grades a class of small notebooks and notes, every hundred submissions, what
memory the coordinator uses, and all processes of grading together (pages that
processes share are counted once). `kills` ends a randomly chosen process of grading
with SIGKILL at random moments, the coordinator among them, starts the command
again whenever it has ended, and compares all scores with those of an undisturbed run.
"""

import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from grading_class import LIGHT, engine_command, make_class, run, stored_scores

MEBIBYTE = 1 << 20
PAUSE = 2.0  # mean seconds between two kills; a start takes about as long


def start(folder: Path) -> subprocess.Popen:
    """Start grading; what it prints goes to files, since a pipe would be full soon."""
    with (folder / "report.json").open("w") as out, (folder / "log").open("w") as log:
        command = engine_command(LIGHT, "--no-feedback")
        return subprocess.Popen(command, cwd=folder, stdout=out, stderr=log)


def report(folder: Path) -> list[dict]:
    return json.loads((folder / "report.json").read_text())["submissions"]


def graded(folder: Path) -> int:
    return sum(1 for _ in folder.glob(f".grading/{LIGHT}/*/record.json"))


def memory_of(process: psutil.Process) -> tuple[float, float]:
    """MiB of the coordinator, and of it and all its descendants together."""
    own, total = process.memory_full_info().pss, 0
    for one in [process, *process.children(recursive=True)]:
        try:
            total += one.memory_full_info().pss
        except psutil.Error:
            continue
    return own / MEBIBYTE, total / MEBIBYTE


def memory(folder: Path, count: int) -> None:
    """Grade the class; print a line for every tenth of it."""
    begin, process = time.perf_counter(), start(folder)
    watched, step = psutil.Process(process.pid), max(count // 10, 1)
    print("graded   seconds   coordinator MiB   all MiB")
    wanted = step
    while process.poll() is None and wanted <= count:
        done = graded(folder)
        if done < min(wanted, count - 1):
            time.sleep(0.1)
            continue
        try:
            own, total = memory_of(watched)
        except psutil.Error:
            break
        seconds = time.perf_counter() - begin
        print(f"{done:6}   {seconds:7.1f}   {own:15.1f}   {total:7.1f}", flush=True)
        wanted += step
    if process.wait():
        sys.exit(f"grading failed: {(folder / 'log').read_text()}")
    rows = report(folder)
    seconds = time.perf_counter() - begin
    states = collections.Counter(row["status"] for row in rows)
    print(f"{len(rows)} rows in {seconds:.1f} s, {dict(states)}")


ROLES = (
    "coordinator",
    "keeper of the warm process",
    "warm process",
    "warm process of the notebook",
    "judge or student",
)


def role(process: psutil.Process, coordinator: int) -> str:
    """What a process of grading is for: each is forked by the one before it."""
    depth = 0
    while process is not None and process.pid != coordinator:
        process, depth = process.parent(), depth + 1
    return ROLES[min(depth, len(ROLES) - 1)]


def kill_one(coordinator: int, generator: random.Random) -> str | None:
    """End a process of the run; each role is as likely as any other."""
    try:
        main = psutil.Process(coordinator)
        by_role = collections.defaultdict(list)
        for one in [main, *main.children(recursive=True)]:
            by_role[role(one, coordinator)].append(one)
        chosen = generator.choice(sorted(by_role))
        generator.choice(by_role[chosen]).kill()
    except psutil.Error:
        return None
    return chosen


def kills(folder: Path, count: int, seed: int) -> None:
    """Kill, run again, kill, …, until a run ends by itself; compare the scores."""
    calm = folder.parent / "calm"
    shutil.copytree(folder, calm)
    run(calm, *engine_command(LIGHT, "--no-feedback"))
    generator, killed, runs, code = random.Random(seed), collections.Counter(), 0, None
    while code != 0:
        process, runs = start(folder), runs + 1
        while process.poll() is None:
            time.sleep(generator.expovariate(1 / PAUSE))
            if graded(folder) < 0.9 * count and process.poll() is None:
                killed[kill_one(process.pid, generator)] += 1
        code = process.wait()
        if code not in (0, -9):
            print(f"a run ended with {code}: {(folder / 'log').read_text().strip()}")
    rows = {row["student"]: row["score"] for row in report(folder)}
    undisturbed = stored_scores(calm, LIGHT)
    print(f"killed: {dict(killed)}; {runs} runs")
    print(f"{len(rows)} rows; equal to an undisturbed run: {rows == undisturbed}")
    print(f"gradebook equal, too: {stored_scores(folder, LIGHT) == undisturbed}")
    if rows != undisturbed or stored_scores(folder, LIGHT) != undisturbed:
        sys.exit("something was lost")


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("memory", "kills"))
    parser.add_argument("--submissions", type=int)
    parser.add_argument("--seed", type=int, default=os.getpid())
    options = parser.parse_args(argv)
    count = options.submissions or {"memory": 1000, "kills": 200}[options.what]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "course"
        make_class(folder, LIGHT, count)
        if options.what == "memory":
            memory(folder, count)
        else:
            print(f"seed {options.seed}")
            kills(folder, count, options.seed)


if __name__ == "__main__":
    main()
