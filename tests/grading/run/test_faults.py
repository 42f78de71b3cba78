"""Parts that are killed, full or locked: after another run all scores are right."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from made_course import grade, make_course, submit
from nbgrader.api import Gradebook
from two_questions import ANSWER, problem

from course_tools.errors import CommandError
from course_tools.grading.limits import Limits
from course_tools.grading.run import coordinator, job, workers, zygote_client
from course_tools.grading.sandbox import cgroups

STUDENTS = 23


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults") / "course"
    make_course(folder, "set1", {"problem": problem()})
    for number in range(STUDENTS):
        # every third student answers one of the two questions only
        answers = {"square": ANSWER, "slow": "import time\ntime.sleep(0.05)"}
        if number % 3 == 0:
            answers["slow"] = "del square"
        submit(folder, "set1", "problem", f"s{number:02}", answers)
    return folder


@pytest.fixture
def folder(template, tmp_path):
    return shutil.copytree(template, tmp_path / "course")


def expected():
    return {f"s{n:02}": 2.0 if n % 3 == 0 else 5.0 for n in range(STUDENTS)}


def scores(folder):
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        found = gradebook.assignment_submissions("set1")
        return {item.student_id: item.score for item in found}


def check_all(folder):
    """Run to the end; every submission is graded once, with the right score."""
    result = grade(folder, "set1")
    assert result.code == 0, result.errors
    for name, row in result.rows.items():
        assert row["score"] == expected()[name], json.dumps(row)
    assert scores(folder) == expected()
    with sqlite3.connect(f"{folder}/gradebook.db") as database:
        found = database.execute("select count(*) from submitted_assignment")
        assert found.fetchone() == (STUDENTS,)
    assert not list(Path(folder).rglob("*.tmp"))


GRADE = [sys.executable, "-P", "-m", "course_tools", "grade", "set1", "--course"]


def start_grading(folder, *arguments):
    return subprocess.Popen(
        [*GRADE, str(folder), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a process in the background, as the tests may be, ignores the keyboard
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_for(folder, count, process):
    """Wait until `count` submissions are graded, or the process has ended."""
    while process.poll() is None:
        if len(list(Path(folder).glob(".grading/set1/*/record.json"))) >= count:
            return
        time.sleep(0.005)


def test_coordinator_killed(folder):
    process = start_grading(folder)
    wait_for(folder, 5, process)
    process.kill()
    process.communicate()
    graded = len(scores(folder))
    assert 5 <= graded < STUDENTS
    check_all(folder)


@pytest.mark.usefixtures("warm")
def test_half_written_files_are_removed(folder):
    """A kill may hit the moment between writing a file and giving it its name."""
    for kind in ("autograded", "feedback"):
        place = folder / kind / "s02" / "set1"
        place.mkdir(parents=True)
        (place / "problem.html.12345.tmp").write_text("<html>")
    check_all(folder)


def test_interrupted_by_the_keyboard(folder):
    process = start_grading(folder)
    wait_for(folder, 3, process)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=900)
    assert process.returncode == 130
    assert errors == "course: stopped; run the same command again to continue\n"
    assert out == ""
    assert len(scores(folder)) < STUDENTS
    check_all(folder)


@pytest.mark.usefixtures("warm")
def test_two_graders_at_once(folder):
    (folder / ".grading").mkdir()
    with open(folder / ".grading" / "lock.set1", "w") as file:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
        result = grade(folder, "set1")
    assert result.code == 1
    assert result.errors == "course: set1 is being graded by another process\n"
    check_all(folder)


@pytest.mark.usefixtures("warm")
def test_locked_gradebook(folder, monkeypatch):
    blocker = sqlite3.connect(f"{folder}/gradebook.db")
    blocker.execute("begin exclusive")
    monkeypatch.setattr(
        "course_tools.grading.course.gradebook.GRADEBOOK_WAIT_MILLISECONDS", 200
    )
    result = grade(folder, "set1")
    blocker.rollback()
    blocker.close()
    assert result.code == 1
    assert result.errors == "course: the gradebook cannot be used: database is locked\n"
    check_all(folder)


@pytest.mark.usefixtures("warm")
def test_gradebook_locked_for_a_moment(folder):
    blocker = sqlite3.connect(f"{folder}/gradebook.db", check_same_thread=False)
    blocker.execute("begin exclusive")
    timer = threading.Timer(1.0, blocker.rollback)
    timer.start()
    check_all(folder)
    timer.join()
    blocker.close()


@pytest.mark.usefixtures("warm")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a file read-only")
def test_read_only_gradebook(folder):
    """A mount, because root may write to a file whatever its mode says."""
    book = str(folder / "gradebook.db")
    subprocess.run(["mount", "--bind", book, book], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", book], check=True)
        result = grade(folder, "set1")
        assert result.code == 1
        assert result.errors.startswith("course: the gradebook cannot be used: ")
        assert result.errors.count("\n") == 1
    finally:
        subprocess.run(["umount", book], check=True)
    check_all(folder)


@pytest.mark.usefixtures("warm")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_full_disk(folder):
    os.makedirs(folder / "autograded")
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none"]
    subprocess.run([*mount, str(folder / "autograded")], check=True)
    try:
        result = grade(folder, "set1", "--no-feedback")
        assert result.code == 1
        assert result.errors.startswith("course: No space left on device")
        assert result.errors.count("\n") == 1
    finally:
        subprocess.run(["umount", str(folder / "autograded")], check=True)
    check_all(folder)


def test_warm_process_killed(folder, monkeypatch):
    """The job in flight is started over with a new warm process."""
    started = []
    original = zygote_client.start

    def start(*arguments):
        started.append(original(*arguments))
        return started[-1]

    monkeypatch.setattr(zygote_client, "start", start)
    kills = iter(range(1))
    run = job.run

    def killing(task, place, *others):
        if sum(1 for _ in Path(folder).glob("autograded/*")) >= 4:
            for _ in kills:
                place.zygote.process.kill()
        return run(task, place, *others)

    monkeypatch.setattr(workers.job, "run", killing)
    check_all(folder)
    assert len(started) == 2


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("role", ["judge", "student"])
def test_processes_killed_at_random(folder, role, zygote, monkeypatch):
    """Killed from outside, not by the student: the job is simply run again."""
    generator = random.Random(7)
    fork = zygote_client.Forker.fork
    victims = []

    def forking(self, kind, *arguments):
        child = fork(self, kind, *arguments)
        if kind == role and generator.random() < 0.25 and len(victims) < 8:
            victims.append(child)
            delay = generator.uniform(0.0, 0.08)
            threading.Timer(delay, _kill, [child]).start()
        return child

    monkeypatch.setattr(zygote_client.Forker, "fork", forking)
    check_all(folder)
    assert len(victims) >= 3


def _kill(child):
    try:
        signal.pidfd_send_signal(child.pidfd, signal.SIGKILL)
    except OSError:
        return


def test_control_groups_cleared_away_by_another_program(folder, monkeypatch):
    """Between two submissions they are empty, and anybody who tidies can remove them.

    What was graded meanwhile used to be disturbed five times and then given up.
    """
    add, removed = cgroups.GroupV1.add, []

    def add_late(group, pid):
        for path in group.folders:
            os.rmdir(path)
            removed.append(path)
        add(group, pid)
        assert group.members() == [str(pid)]

    if isinstance(probe := cgroups.make_group("probe", Limits()), cgroups.NoGroup):
        pytest.skip("no control groups on this machine")
    probe.remove()
    monkeypatch.setattr(cgroups.GroupV1, "add", add_late)
    check_all(folder)
    assert len(removed) > STUDENTS
    assert not any(map(os.path.exists, removed))


def test_a_test_that_ends_the_judge_costs_one_question(bench):
    good = ("test", "assert f() == 1")
    result = bench.run(
        ("student", "def f(): return 1"), good, ("test", "import os; os._exit(1)"), good
    )
    verdicts = {verdict.index: verdict.score for verdict in result.verdicts}
    assert verdicts == {1: 7.0, 3: 7.0}
    assert result.complete


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to forbid sandboxes")
def test_without_a_sandbox_nothing_is_graded(folder):
    shell = "for n in pid user; do echo 0 > /proc/sys/user/max_${n}_namespaces; done; "
    done = subprocess.run(
        ["unshare", "-Ur", "sh", "-c", shell + 'exec "$@"', "sh", *GRADE, str(folder)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("course: no sandbox can be made here (root: OSError")
    assert line.endswith("see --unsafe-no-sandbox")
    assert scores(folder) == {}
    assert not (folder / "autograded").exists()


def test_json_is_alone_on_standard_output(folder):
    process = start_grading(folder, "--json", "--only", "s01")
    out, errors = process.communicate()
    assert process.returncode == 0, errors
    assert [row["student"] for row in json.loads(out)["submissions"]] == ["s01"]


@pytest.mark.usefixtures("warm")
def test_no_traceback_for_the_unexpected(monkeypatch, tmp_path):
    def broken(*_):
        raise ZeroDivisionError("odd")

    monkeypatch.setattr(coordinator, "Course", broken)
    result = grade(tmp_path, "set1")
    assert (result.code, result.errors) == (1, "course: ZeroDivisionError: odd\n")
    monkeypatch.setenv("COURSE_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        grade(tmp_path, "set1")


def test_a_warm_process_that_is_killed_while_it_starts_is_started_again(monkeypatch):
    """It says nothing of the sandbox; killed each time, the reason is told."""
    killed = []
    greet = zygote_client.ZygoteClient.greet

    def kill_first(self, *told):
        if len(killed) < times:
            self.process.kill()
            killed.append(self.process.pid)
        greet(self, *told)

    monkeypatch.setattr(zygote_client.ZygoteClient, "greet", kill_first)
    times = 1
    zygote_client.start().close()
    killed.clear()
    times = 99
    with pytest.raises(CommandError, match="killed 3 times while it started") as said:
        zygote_client.start()
    assert "sandbox" not in str(said.value)
    assert len(killed) == 3
