"""The launcher `course`: interrupted, killed, and started twice at once."""

import os
import shutil
import signal
import subprocess
import zipfile

import pytest
from launcher_fixtures import assert_complete, kill_all, wait_until
from tiny_course import MANY

from course_tools.cli import bootstrap, repair

pytest_plugins = ["launcher_fixtures"]


@pytest.mark.slow
def test_killed_in_the_middle_of_a_package_it_repairs_and_completes(bare):
    bare.hold()
    process = bare.start("setup")
    wait_until(lambda: bare.modules() > 50)
    kill_all(process)
    assert bare.modules() < MANY
    assert bare.stamps() == ["base"]
    bare.release()
    done = bare.run("setup")
    assert done.returncode == 0, done.stderr
    assert_complete(bare)


def test_package_is_whole_only_with_pips_own_record(wheels, tmp_path):
    """All files are there, but scripts and marks, which pip writes last, may not be."""
    with zipfile.ZipFile(wheels / "small-1.0-py3-none-any.whl") as archive:
        archive.extractall(tmp_path)
    info = tmp_path / "small-1.0.dist-info"
    assert not repair.is_whole(info)
    with open(info / "RECORD", "a") as record:
        record.write("small-1.0.dist-info/INSTALLER,,\nsmall/none.cpython-399.pyc,,\n")
    assert not repair.is_whole(info)
    (info / "INSTALLER").write_text("pip\n")
    assert repair.is_whole(info)  # compiled files do not count
    (tmp_path / "small/part0.py").unlink()
    assert not repair.is_whole(info)
    assert repair.forget_half_installed(tmp_path) == ["small-1.0.dist-info"]
    assert not info.exists()


@pytest.mark.slow
def test_package_whose_files_were_lost_is_installed_again(copied):
    """pip alone would call it installed: its METADATA is there."""
    (copied.packages / "large/part7.py").unlink()
    copied.forget_stamps()
    assert copied.run("setup").returncode == 0
    assert_complete(copied)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["lost", "changed", "uninstalled"])
def test_setup_mends_what_was_complete_once(copied, how):
    """The stamps say that all is well, so no other command looks."""
    module = copied.packages / "large/part7.py"
    if how == "lost":
        module.unlink()
    elif how == "changed":  # the files of copies are shared, so not in place
        module.unlink()
        module.write_text("NUMBER = 8\n")
    else:
        for path in copied.packages.glob("large*"):
            shutil.rmtree(path)
    done = copied.run("setup")
    assert done.returncode == 0, done.stderr
    assert "lost or damaged" in done.stdout
    assert_complete(copied)


@pytest.mark.slow
@pytest.mark.parametrize("seen", ["pyvenv.cfg", "lib/*/site-packages/pip/__init__.py"])
def test_killed_while_venv_is_made(fresh, seen):
    process = fresh.start("setup")
    wait_until(lambda: any((fresh.root / ".venv").glob(seen)))
    kill_all(process)
    assert not (fresh.root / ".venv/install.log").exists()
    done = fresh.run("setup")
    assert done.returncode == 0, done.stderr
    assert_complete(fresh)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_ends_pip_says_one_line_and_can_go_on(bare, number):
    bare.hold()
    process = bare.start("setup")
    wait_until(lambda: bare.modules() > 50)
    process.send_signal(number)  # to the launcher alone, which must take pip with it
    _, err = process.communicate(timeout=300)
    bare.release()
    assert process.returncode == 130
    assert err == (
        "course: interrupted; the same command goes on from where it stopped\n"
    )
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    assert bare.run("setup").returncode == 0
    assert_complete(bare)


@pytest.mark.slow
def test_second_start_waits_for_the_pip_of_a_killed_launcher(bare):
    bare.hold()
    process = bare.start("setup")
    wait_until(lambda: bare.modules() > 50)
    process.kill()
    process.wait()
    second = bare.start("setup")
    assert second.stdout is not None
    wait_until(lambda: "waiting for it" in second.stdout.readline())
    bare.release()
    _, err = second.communicate(timeout=600)
    assert second.returncode == 0, err
    assert_complete(bare)


@pytest.mark.slow
def test_two_starts_at_once_install_once(bare):
    first, second = bare.start("setup"), bare.start("setup")
    outputs = [process.communicate(timeout=600) for process in (first, second)]
    assert [first.returncode, second.returncode] == [0, 0], outputs
    assert sum("waiting for it" in out for out, _ in outputs) == 1
    assert bare.pip_runs() == 4  # two for the base, two for the student's part
    assert_complete(bare)


def test_the_launcher_starts_as_a_program_while_something_is_set_up(ready):
    """Linux refuses to start what is open for writing: `Text file busy`."""
    started = [str(ready.root / "course"), "--help"]
    with bootstrap.only_one(str(ready.root)):
        done = subprocess.run(started, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# --- a part that is added later


@pytest.mark.slow
def test_killed_while_a_part_is_added_the_others_work_and_it_is_completed(copied):
    copied.hold("wide")
    process = copied.start("setup", "grade")
    wait_until(lambda: copied.modules("wide") > 50)
    kill_all(process)
    assert copied.modules("wide") < MANY
    assert copied.stamps() == ["base", "student"]
    runs = copied.pip_runs()
    assert "get the course again" in copied.run("lab").stderr  # it has no notebooks
    assert copied.pip_runs() == runs, "a student's command installed something"
    copied.release()
    done = copied.run("setup", "grade")
    assert done.returncode == 0, done.stderr
    assert copied.modules("wide") == MANY
    assert copied.stamps() == ["base", "grade", "student"]
    assert_complete(copied)


@pytest.mark.slow
def test_interrupt_while_a_part_is_added_can_go_on(copied):
    copied.hold("wide")
    process = copied.start("setup", "grade")
    wait_until(lambda: copied.modules("wide") > 50)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    copied.release()
    assert process.returncode == 130
    assert err.endswith("the same command goes on from where it stopped\n")
    assert copied.stamps() == ["base", "student"]
    assert copied.run("setup", "grade").returncode == 0
    assert copied.modules("wide") == MANY


@pytest.mark.slow
def test_parts_that_were_finished_before_the_interrupt_stay_finished(copied):
    """`test` needs `grade`, which is complete before its own packages come."""
    (copied.root / "requirements/test.lock").write_text("nowhere==7 --hash=sha256:0\n")
    assert copied.run("setup", "test").returncode == 1
    assert copied.stamps() == ["base", "book", "grade", "hub", "student"]
