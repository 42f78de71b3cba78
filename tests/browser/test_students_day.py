"""One student's day: hand-out, JupyterLab, a lecture, an exercise wrong and then right,
progress, a problem set, its check, and what is handed in."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
from browser_jupyter import (
    browser,
    choose,
    free_port,
    new_page,
    run_cell,
    seen,
    wait_until_it_answers,
    write_settings,
)
from made_course import course
from platform_zips import moodle_folder, pack

from course_tools.classroom import handout
from course_tools.cli.programs import PROGRAMS

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

SET = "ps1_rnn"
WRONG = """def parameter_count(d_x, d_h, d_y):
    return d_h * d_x


exercises.check(1, parameter_count)"""
RIGHT = WRONG.replace("d_h * d_x", "d_h * (d_h + d_x + 1) + d_y * (d_h + 1)")
STEP = """def rnn_step(x_t, h_prev, W_h, W_x, b_h):
    return np.tanh(h_prev @ W_h.T + x_t @ W_x.T + b_h)"""


class Desk:
    """The hand-out on a student's computer; its Python is the one of these tests."""

    def __init__(self, folder, scratch):
        self.folder, self.scratch = folder, scratch
        self.environment = {**os.environ, "PYTHONPATH": str(folder)}
        self.environment["JUPYTER_CONFIG_DIR"] = str(scratch / "config")
        settings = write_settings(scratch / "settings")
        self.environment["JUPYTERLAB_SETTINGS_DIR"] = str(settings)

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-P", "-m", "course_tools", *words]

    def course(self, *words: str) -> str:
        """What `./course WORDS` says there."""
        done = subprocess.run(
            self.command(*words),
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    @contextlib.contextmanager
    def lab(self):
        """`./course lab`; gives the address that it prints."""
        words = ("lab", "--no-browser", "--port", str(free_port()))
        with (self.scratch / "lab.log").open("w") as log:
            server = subprocess.Popen(
                self.command(*words),
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        try:
            printed = iter(server.stdout.readline, "")
            line = next(line for line in printed if line.startswith("JupyterLab: "))
            address = line.split()[1].replace("localhost", "127.0.0.1")
            wait_until_it_answers(address.split("/lab")[0] + "/api", server)
            yield address
        finally:
            server.terminate()
            server.wait()


@pytest.fixture(scope="module")
def day(tmp_path_factory, project_root):
    folder = tmp_path_factory.mktemp("handed") / "course"
    handout.make(project_root, folder, as_zip=False)
    desk = Desk(folder, tmp_path_factory.mktemp("lab"))
    with desk.lab() as address, browser(PROGRAMS["chromium"].find()) as chromium:
        page = new_page(chromium, 1200, 1400)
        page.goto(address, wait_until="load")
        yield SimpleNamespace(desk=desk, page=page, address=address)


def open_notebook(day, path: str) -> None:
    before, _, token = day.address.partition("/lab/tree/")
    question = token.partition("?")[2]
    day.page.goto(f"{before}/lab/tree/{path}?reset&{question}", wait_until="load")
    day.page.wait_for_selector('.jp-Notebook-ExecutionIndicator[data-status="idle"]')
    choose(day.page, "Edit", "Clear Outputs of All Cells")  # and their stored numbers


def cell_with(day, text: str):
    return day.page.locator(".jp-CodeCell").filter(has_text=text).first


def type_into(day, cell, text: str) -> None:
    cell.locator(".cm-content").click()
    day.page.keyboard.press("Control+A")
    day.page.keyboard.insert_text(text)
    run_cell(day.page, cell)


def test_the_first_page_opens(day):
    day.page.wait_for_selector(".jp-Notebook .jp-Cell")
    assert "00_start_here" in day.page.url
    assert "0 of" in day.desk.course("progress")


def test_an_exercise_wrong_then_right(day):
    open_notebook(day, "notebooks/02_simple_rnn.ipynb")
    first = cell_with(day, "import numpy as np")
    first.locator(".cm-content").click()
    run_cell(day.page, first)
    exercise = cell_with(day, "def parameter_count")
    type_into(day, exercise, WRONG)
    said = exercise.locator(".jp-OutputArea-output")
    assert seen(day.page, lambda: "not yet" in said.first.inner_text())
    assert "expected" in said.first.inner_text()
    type_into(day, exercise, RIGHT)
    assert seen(day.page, lambda: "right, on 5 random" in said.first.inner_text())


def test_progress_shows_it(day):
    said = day.desk.course("progress")
    assert re.search(r"◐ 02 .*exercises 1 of", said), said


def test_a_problem_set_is_worked_on_checked_and_handed_in(day, tmp_path, project_root):
    path = day.desk.folder / f"assignments/{SET}/{SET}.ipynb"
    open_notebook(day, f"assignments/{SET}/{SET}.ipynb")
    type_into(day, cell_with(day, "def rnn_step"), STEP)
    choose(day.page, "File", "Save Notebook")
    assert seen(day.page, lambda: "np.tanh(h_prev @ W_h.T" in path.read_text())

    said = day.desk.course("check", "ps1")
    assert re.search(r"step +5 / 5", said), said
    assert re.search(r"bptt +0 / 15 +not attempted", said), said
    assert re.search(rf"{SET} +\d+ of \d+ pass", day.desk.course("progress"))

    # to Moodle, and from there to the instructor
    taken = tmp_path / "course"
    for name in ("solutions", "assignments"):
        shutil.copytree(project_root / name / SET, taken / name / SET)
    shutil.copy(project_root / "nbgrader_config.py", taken)
    sent = path.read_bytes()
    entry = f"{moodle_folder('Ada King', 1001)}/{SET}.ipynb"
    packed = pack(tmp_path / "moodle.zip", (entry, sent))
    done = course("collect", packed, "--course", taken)
    assert done.code == 0, done.errors
    arrived = taken / f"submitted/ada_king_1001/{SET}/{SET}.ipynb"
    assert json.loads(arrived.read_bytes()) == json.loads(sent)
