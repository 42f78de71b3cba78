"""A cluster of Dask workers, and a gradebook in PostgreSQL."""

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
from distributed import LocalCluster
from made_course import grade, make_course, submit
from nbgrader.api import Gradebook
from two_questions import ANSWER, problem

from course_tools.cli.programs import find_program

STUDENTS = 11


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scale") / "course"
    make_course(folder, "set1", {"problem": problem()})
    for number in range(STUDENTS):
        answers = {"square": ANSWER, "slow": "import time\ntime.sleep(0.3)"}
        if number % 3 == 0:
            answers["slow"] = "del square"
        submit(folder, "set1", "problem", f"s{number:02}", answers)
    return folder


@pytest.fixture
def folder(template, tmp_path):
    return shutil.copytree(template, tmp_path / "course")


def expected():
    return {f"s{n:02}": 2.0 if n % 3 == 0 else 5.0 for n in range(STUDENTS)}


def found(result):
    assert result.code == 0, result.errors
    return {name: row["score"] for name, row in result.rows.items()}


@pytest.mark.slow
def test_dask_cluster_with_a_worker_killed_in_the_middle(folder):
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        victims = [worker.process.pid for worker in cluster.workers.values()]

        def kill_one():
            while len(list(Path(folder).glob(".grading/set1/*/record.json"))) < 3:
                time.sleep(0.02)
            os.kill(victims[0], signal.SIGKILL)

        killer = threading.Thread(target=kill_one)
        killer.start()
        result = grade(folder, "set1", "--scheduler", cluster.scheduler_address)
        killer.join()
    assert found(result) == expected()


@pytest.mark.slow
def test_no_cluster_at_that_address(folder):
    result = grade(folder, "set1", "--scheduler", "tcp://127.0.0.1:9")
    assert result.code == 1
    assert result.errors.startswith("course: no Dask cluster at tcp://127.0.0.1:9: ")
    assert result.errors.count("\n") == 1


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    """Start a PostgreSQL server of Debian's package on a socket of its own."""
    folder = tmp_path_factory.mktemp("pg")
    user = {}
    if os.geteuid() == 0:  # the server refuses to run as root
        user = {"user": "postgres", "group": "postgres", "extra_groups": []}
        for parent in (folder, *folder.parents):
            if str(parent).startswith("/tmp/"):
                os.chmod(parent, 0o755)
        shutil.chown(folder, "postgres", "postgres")
    data, bins = folder / "data", Path(find_program("postgres")).resolve().parent
    start = {"cwd": folder, "check": True, "capture_output": True, **user}
    subprocess.run([bins / "initdb", "-A", "trust", "-U", "grader", data], **start)
    options = f"-k {folder} -c listen_addresses='' -c fsync=off"
    control = [bins / "pg_ctl", "-D", data, "-w", "-l", folder / "log"]
    subprocess.run([*control, "-o", options, "start"], **start)
    try:
        yield f"postgresql://grader@/postgres?host={folder}"
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):
            subprocess.run([*control, "-m", "fast", "stop"], **start)


@pytest.mark.needs("postgres")
def test_gradebook_in_postgresql(folder, postgres, warm):
    result = grade(folder, "set1", "--db", postgres)
    assert found(result) == expected()
    with Gradebook(postgres) as gradebook:
        stored = gradebook.assignment_submissions("set1")
        assert {item.student_id: item.score for item in stored} == expected()
    again = grade(folder, "set1", "--db", postgres, "--force")
    assert found(again) == expected()
