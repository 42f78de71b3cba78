"""Sixty students fetch and submit a set at the same moment, on two cores.

    .venv/bin/python benchmarks/exchange_load.py [--students 60] [--cores 2]

Each student is a process with nbgrader loaded, as a server on a hub is. All of them
wait for one signal, then fetch the set, write an answer of their own, and submit. Then
the class is collected, and every notebook is compared with what its student wrote.
`--write` puts the table into benchmarks/README.md.
"""

import argparse
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import page
from nbgrader.api import Gradebook
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeFetchAssignment, ExchangeSubmit
from traitlets.config import Config

from course_tools.grading.collect_plugin import Collect

ROOT = Path(__file__).resolve().parents[1]
SET = "ps1_rnn"
COURSE = "course"


@dataclass(frozen=True)
class Trip:
    """One student's way through the exchange, in seconds."""

    fetch: float
    submit: float
    processor: float


def settings(root: Path, exchange: Path, student: str) -> Config:
    config = Config()
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.course_id = COURSE
    config.CourseDirectory.assignment_id = SET
    config.CourseDirectory.student_id = student
    config.CourseDirectory.db_url = f"sqlite:///{root}/gradebook.db"
    config.Exchange.root = str(exchange)
    config.Exchange.assignment_dir = str(root)
    config.Exchange.cache = str(root / "cache")
    config.Collect.check_owner = False  # one account plays all students
    return config


def step(kind: type, config: Config) -> None:
    own = CourseDirectory(config=config)
    kind(coursedir=own, authenticator=Authenticator(), config=config).start()


def answer_of(student: str) -> bytes:
    """The set's notebook, and something that only this student wrote."""
    path = ROOT / "assignments" / SET / f"{SET}.ipynb"
    return path.read_bytes() + f"\n{student}".encode()


def one_student(folder: Path, exchange: Path, student: str, start, done) -> None:
    home = folder / student
    home.mkdir()
    config = settings(home, exchange, student)
    start.wait()
    times = [time.perf_counter()]
    step(ExchangeFetchAssignment, config)
    times.append(time.perf_counter())
    (home / SET / f"{SET}.ipynb").write_bytes(answer_of(student))
    times.append(time.perf_counter())
    step(ExchangeSubmit, config)
    times.append(time.perf_counter())
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = used.ru_utime + used.ru_stime
    done.put(Trip(times[1] - times[0], times[3] - times[2], seconds))


def make_exchange(folder: Path) -> Path:
    exchange = folder / "exchange"
    for name, mode in {"outbound": 0o755, "inbound": 0o3733, "feedback": 0o711}.items():
        place = exchange / COURSE / name
        place.mkdir(parents=True)
        place.chmod(mode)
    exchange.chmod(0o1777)
    released = exchange / COURSE / "outbound" / SET
    released.mkdir()
    source = ROOT / "assignments" / SET
    for path in source.iterdir():
        (released / path.name).write_bytes(path.read_bytes())
    return exchange


def rush(folder: Path, exchange: Path, students: list[str]) -> tuple[list[Trip], float]:
    """All at once; returns what each took, and how long the last one took."""
    context = multiprocessing.get_context("fork")
    start, done = context.Barrier(len(students) + 1), context.Queue()
    make = context.Process
    own = [
        make(target=one_student, args=(folder, exchange, s, start, done))
        for s in students
    ]
    for process in own:
        process.start()
    start.wait()
    begun = time.perf_counter()
    trips = [done.get() for _ in own]
    whole = time.perf_counter() - begun
    for process in own:
        process.join()
    return trips, whole


def collected(folder: Path, exchange: Path) -> tuple[dict[str, bytes], float]:
    """What the instructor then has, and the seconds that collecting took."""
    course = folder / "instructor"
    course.mkdir()
    config = settings(course, exchange, "*")
    Gradebook(config.CourseDirectory.db_url).close()
    begun = time.perf_counter()
    step(Collect, config)
    seconds = time.perf_counter() - begun
    found = (course / "submitted").glob(f"*/{SET}/{SET}.ipynb")
    return {path.parts[-3]: path.read_bytes() for path in found}, seconds


def lost(students: list[str], found: dict[str, bytes]) -> list[str]:
    """Whose work did not arrive byte for byte."""
    return [name for name in students if found.get(name) != answer_of(name)]


HEADER = """\
| students | arrived | fetch: median, slowest | submit: median, slowest \
| until the last | processor, each | collecting |
|---:|---:|---:|---:|---:|---:|---:|"""


def measure(count: int, folder: Path) -> str:
    students = [f"student{number:03}" for number in range(count)]
    exchange = make_exchange(folder)
    trips, whole = rush(folder, exchange, students)
    found, seconds = collected(folder, exchange)
    if missing := lost(students, found):
        raise SystemExit(f"lost: {missing}")
    processor = sum(trip.processor for trip in trips) / count
    cells = [
        str(count),
        f"{len(found)} of {count}",
        two_of([trip.fetch for trip in trips]),
        two_of([trip.submit for trip in trips]),
        f"{whole:.1f} s",
        f"{1000 * processor:.0f} ms",
        f"{seconds:.1f} s",
    ]
    return f"{HEADER}\n| {' | '.join(cells)} |"


def two_of(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return f"{ordered[len(ordered) // 2]:.2f} s, {ordered[-1]:.2f} s"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(words)
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))[: given.cores]
        os.sched_setaffinity(0, cores)
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    os.environ["PATH"] = path  # for alembic
    with tempfile.TemporaryDirectory() as folder:
        table = measure(given.students, Path(folder))
    print(table)
    if given.write:
        page.write_block(page.README, "exchange", table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
