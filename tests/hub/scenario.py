"""A term in two minutes: what a class does on a hub, and what a student tries.

Runs inside the machine that world.py makes; test_hub.py starts it and reports.
"""

import contextlib
import json
import sys
import time
from pathlib import Path

import pytest
from browser_jupyter import PRESSED_AGAIN, browser, choose, close_dialog, run_cell
from hub_people import (
    ADDRESS,
    COURSE_ID,
    INBOUND,
    SERVICE,
    Person,
    as_user,
    grader,
    handed_in,
    python_as,
    running_hub,
    set_up_as_told,
    solutions,
    until,
    watching,
)
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from world import COURSE, EXCHANGE, HUB, SET

from course_tools.cli.programs import PROGRAMS

COURSE_TOOL = (sys.executable, "-P", "-m", "course_tools")


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    assert "ready to start" in set_up_as_told()
    log = Path.cwd() / "hub.log"
    try:
        with running_hub(log):
            yield
    finally:
        print(log.read_text()[-20_000:])


@pytest.fixture(scope="module")
def chromium(hub):
    with browser(PROGRAMS["chromium"].find()) as running:
        yield running


@pytest.fixture(scope="module")
def people(chromium):
    return {name: Person(chromium, name) for name in ("ada", "bob", "cyd", "eve")}


def test_a_wrong_password_and_an_unknown_name_are_refused(people):
    bob = people["bob"]
    for name, word in (("bob", "a guess"), ("grader", "")):
        bob.name = name
        bob.log_in(word or "x")
        assert "Invalid username or password" in bob.page.inner_text("body")
    bob.name = "bob"
    assert not bob.ask("GET", f"{ADDRESS}/hub/api/user").ok


def test_the_instructor_releases_a_set_in_the_formgrader(people):
    ada = people["ada"]
    ada.log_in()

    def is_open() -> bool:  # the instructors' server starts with the hub, and slowly
        ada.page.goto(f"{SERVICE}/formgrader")
        return "manage_assignments" in ada.page.url

    until(is_open)
    row = ada.page.locator("#main-table tr").filter(has_text=SET)
    row.locator(".release a").click()
    until(lambda: (EXCHANGE / COURSE_ID / "outbound" / SET / f"{SET}.ipynb").exists())


def test_a_student_fetches_works_and_submits_in_a_browser(people):
    bob = people["bob"]
    bob.log_in(to="/hub/spawn")
    bob.page.wait_for_url(f"{bob.server}/lab/tree/notebooks/00_start_here.ipynb")
    press(bob.page, "Fetch")
    notebook = bob.desk() / SET / f"{SET}.ipynb"
    bob.page.wait_for_selector('button:text-is("Submit")')
    assert notebook.exists()
    assert (bob.desk() / "notebooks/00_start_here.ipynb").exists()  # lectures are there

    type_answer(bob.page, f"{bob.server}/lab/tree/{SET}/{SET}.ipynb?reset")
    until(lambda: "np.tanh(h_prev" in notebook.read_text())
    press(bob.page, "Submit")
    until(lambda: handed_in("bob"))
    assert (handed_in("bob")[0].parent / f"{SET}.ipynb").stat().st_uid == 6002


def press(page, label: str) -> None:
    """A button in the list of assignments; a notebook that opens late covers it."""
    button = page.locator(f'button:text-is("{label}")').first

    def pressed() -> bool:
        choose(page, "Nbgrader", "Assignment List")
        with contextlib.suppress(PlaywrightTimeout):
            button.click(timeout=20_000)
            return True
        return False

    until(pressed)


def type_answer(page, address) -> None:
    """Type the first answer into its cell, run it, save the notebook."""
    page.goto(address)
    page.wait_for_selector('.jp-Notebook-ExecutionIndicator[data-status="idle"]')
    cell = page.locator(".jp-CodeCell").filter(has_text="def rnn_step").first
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(solutions()["answer_step"])
    run_cell(page, cell)
    choose(page, "File", "Save Notebook")


def test_two_more_hand_in(people):
    for name in ("cyd", "eve"):
        student = people[name]
        student.log_in()
        student.start_server()
        listed = student.exchange("fetch")
        assert [(a["assignment_id"], a["status"]) for a in listed] == [(SET, "fetched")]
    people["cyd"].answer(solutions())
    people["eve"].answer({"answer_step": solutions()["answer_step"]})
    for name in ("cyd", "eve"):
        people[name].exchange("submit")
        assert len(handed_in(name)) == 1


def test_check_finds_the_copy_that_was_fetched(people):
    desk = people["cyd"].desk()
    own = {"COURSE_DESK": str(desk), "COURSE_PROGRESS": str(desk / ".progress.jsonl")}
    _, said = as_user("cyd", *COURSE_TOOL, "check", "ps1", **own)
    assert "step" in said
    assert "not attempted" not in said
    assert "ps1_rnn" in (desk / ".progress.jsonl").read_text()
    _, said = as_user("cyd", *COURSE_TOOL, "progress", **own)
    assert "ps1_rnn" in said


# ---- what a student tries

OUTBOUND = EXCHANGE / COURSE_ID / "outbound"
THEIRS = {
    "list what was handed in": f"print(os.listdir({str(INBOUND)!r}))",
    "list the feedback": f"print(os.listdir('{EXCHANGE}/{COURSE_ID}/feedback'))",
    "look into the instructors' folder": f"print(os.listdir({str(COURSE)!r}))",
    "read the solution": f"print(open('{COURSE}/solutions/{SET}/{SET}.ipynb').read())",
    "read the gradebook": f"print(open('{COURSE}/gradebook.db', 'rb').read())",
    "look into a neighbour's home": "print(os.listdir('/home/bob'))",
    "read the hub's secrets": f"print(os.listdir('{HUB}/state'))",
    "read the hub's configuration": f"print(open('{HUB}/jupyterhub_config.py').read())",
    "rename the course": f"os.rename('{EXCHANGE}/{COURSE_ID}', '{EXCHANGE}/old')",
    "replace the set": f"open('{OUTBOUND}/{SET}/x', 'w')",
    "rename the set": f"os.rename('{OUTBOUND}/{SET}', '{OUTBOUND}/x')",
    "make folders in the course": f"os.mkdir('{EXCHANGE}/{COURSE_ID}/more')",
    "change the program": "open(course_tools.__file__, 'a')",
    "change what students read": f"open('{HUB}/students/nbgrader_config.py', 'a')",
    "become somebody": "os.setuid(6002)",
}


@pytest.mark.parametrize("wish", THEIRS)
def test_a_student_is_refused(people, wish):
    code, said = python_as("eve", f"import os, course_tools\n{THEIRS[wish]}")
    assert code == 1
    assert "Permission" in said or "not permitted" in said


def test_not_even_with_the_name_is_anything_of_others_removed(people):
    """Names in inbound are random; suppose that one got known."""
    place = handed_in("bob")[0].parent
    for act in (f"os.rename({str(place)!r}, '{INBOUND}/mine')", f"os.rmdir('{place}')"):
        code, said = python_as("eve", f"import os\n{act}")
        assert code == 1
        assert "not permitted" in said or "Permission" in said, said


def test_other_peoples_servers_are_closed(people):
    eve = people["eve"]
    for address in ("/user/bob/api/contents", f"/services/{COURSE_ID}/formgrader"):
        answer = eve.ask("GET", f"{ADDRESS}{address}")
        assert answer.status in (403, 404), (address, answer.status)
    assert eve.ask("GET", f"{ADDRESS}/hub/api/users/bob").status in (403, 404)
    assert not eve.ask("POST", f"{ADDRESS}/hub/api/users/bob/server", {}).ok
    assert eve.ask("GET", f"{eve.server}/formgrader").status == 404  # not for students
    direct = (
        "import urllib.request as u; print(u.urlopen('http://127.0.0.1:{}').read())"
    )
    for port in (8001, 9999):  # the proxy's own door, the instructors' server
        code, said = python_as("eve", direct.format(port))
        assert code == 1 or "Sign in" in said or "login" in said, said[-300:]


def test_limits_hold_for_what_a_student_starts(people):
    eve = people["eve"]
    code = "print(bytearray(5 * 2**30)[:1])"
    said = in_a_kernel(eve, code)
    assert "MemoryError" in said or "died" in said, said


def in_a_kernel(student, code: str) -> str:
    """Run a notebook in the student's own server; returns what came of it: all of its
    output, or the news that the kernel is gone."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    book = {"cells": [], "nbformat": 4, "nbformat_minor": 5}
    book["metadata"] = {"kernelspec": kernel}  # or JupyterLab asks which one to take
    cell = {"cell_type": "code", "id": "a", "source": code, "outputs": []}
    book["cells"] = [{**cell, "metadata": {}, "execution_count": None}]
    made = {"type": "notebook", "format": "json", "content": book}
    assert student.ask("PUT", f"{student.server}/api/contents/t.ipynb", made).ok
    page = student.page
    page.goto(f"{student.server}/lab/tree/t.ipynb?reset")
    page.wait_for_selector('.jp-Notebook-ExecutionIndicator[data-status="idle"]')
    prompt = page.locator(".jp-CodeCell .jp-InputPrompt").first
    output = page.locator(".jp-OutputArea-output").first
    dialog = page.locator(".jp-Dialog").first
    again, said = 0.0, ""

    def shown() -> bool:
        """A page that has just opened may not hear that it is to run."""
        nonlocal again, said
        if dialog.is_visible():
            said = dialog.inner_text()
            if "died" in said:
                return True
            close_dialog(dialog)
        elif output.is_visible():
            said = output.inner_text()
            return True
        elif prompt.inner_text().startswith("[ ]") and time.monotonic() > again:
            choose(page, "Run", "Run All Cells")
            again = time.monotonic() + PRESSED_AGAIN
        page.wait_for_timeout(250)
        return False

    until(shown)
    return said


def test_tricks_in_the_exchange_harm_nobody(people):
    """In another's name, with a link for an answer, with names that are none."""
    solution = f"{COURSE}/solutions/{SET}/{SET}.ipynb"
    tricks = f"""
import os
for name in ("bob+{SET}+2099-01-01 00:00:00 UTC+x", "..+{SET}+2099-01-01 UTC+x",
             "eve+{SET}+never+x", "eve+{SET}+2098-01-01 00:00:00 UTC+x"):
    place = os.path.join({str(INBOUND)!r}, name)
    os.mkdir(place)
    os.symlink({solution!r}, place + "/{SET}.ipynb")
    os.mkfifo(place + "/pipe")
    open(place + "/submission_secret.txt", "w").write("x" * 128)
os.mkdir("{EXCHANGE}/another_course")
"""
    code, said = python_as("eve", tricks)
    assert code == 0, said
    said = grader("nbgrader", "collect", SET)
    assert "it belongs to eve, not to bob" in said
    assert "there is no time in its name" in said
    assert f"/{SET}.ipynb: no plain file" in said
    submitted = COURSE / "submitted"
    assert sorted(p.name for p in submitted.iterdir()) == ["bob", "cyd", "eve"]
    assert "tanh" in (submitted / f"bob/{SET}/{SET}.ipynb").read_text()
    assert not (submitted / f"eve/{SET}/{SET}.ipynb").exists()


def test_a_full_exchange_loses_nothing(people):
    """eve fills it; cyd is told so, and can hand in again when it is emptied."""
    fill = f"open('{INBOUND}/eve+big', 'wb').write(bytes(10**9))"
    code, said = python_as("eve", fill)
    assert "No space left" in said
    cyd = people["cyd"]
    wanted = {"course_id": COURSE_ID, "assignment_id": SET}
    answer = cyd.ask("POST", f"{cyd.server}/assignments/submit", wanted)
    assert not answer.ok or not answer.json()["success"]
    assert len(handed_in("cyd")) == 1
    (INBOUND / "eve+big").unlink()
    cyd.exchange("submit")
    assert len(handed_in("cyd")) == 2


# ---- marks, and the way back


def test_the_class_is_graded(people):
    grader("nbgrader", "collect", SET, "--update")
    said = grader(*COURSE_TOOL, "grade", "ps1", "--course", ".", "--json")
    rows = {row["student"]: row for row in json.loads(said)["submissions"]}
    assert {name: row["status"] for name, row in rows.items()} == {
        "bob": "graded",
        "cyd": "graded",
        "eve": "unreadable",
    }
    assert rows["bob"]["score"] == 5
    assert rows["cyd"]["score"] == 90  # all but the written answer


def test_a_written_answer_is_marked_by_hand_in_the_formgrader(people):
    page = people["ada"].page
    page.goto(f"{SERVICE}/formgrader/gradebook/{SET}/{SET}")
    page.wait_for_function("models && models.loaded")
    page.click("#toggle_names")
    page.click('a:visible:text-is("cyd")')
    page.wait_for_url("**/submissions/**")
    page.wait_for_function("formgrader.grades.loaded && formgrader.comments.loaded")
    page.locator("#derivation").press_sequentially("7")
    with page.expect_response(lambda r: r.request.method == "PUT") as answer:
        page.keyboard.press("Tab")
    assert answer.value.ok


def test_feedback_comes_back_to_its_student_alone(people):
    grader(*COURSE_TOOL, "feedback", "ps1", "--course", ".")
    grader("nbgrader", "release_feedback", SET)
    people["cyd"].exchange("fetch_feedback")
    pages = sorted((people["cyd"].desk() / SET / "feedback").glob(f"*/{SET}.html"))
    assert len(pages) == 1
    assert "97.0 / 100.0" in pages[0].read_text()
    people["bob"].page.goto(f"{people['bob'].server}/lab?reset")
    press(people["bob"].page, "Fetch Feedback")
    until(lambda: list((people["bob"].desk() / SET).glob(f"feedback/*/{SET}.html")))
    own = next((people["bob"].desk() / SET).glob(f"feedback/*/{SET}.html"))
    assert "5.0 / 100.0" in own.read_text()
    assert own.stat().st_uid == 6002


def test_what_is_handed_in_again_is_graded_while_somebody_watches(people):
    bob, page = people["bob"], COURSE / f"feedback/bob/{SET}/{SET}.html"
    bob.answer(solutions())
    with watching("ps1", Path.cwd() / "watch.log"):
        bob.exchange("submit")
        grader("nbgrader", "collect", SET, "--update")
        until(lambda: "90.0 / 100.0" in page.read_text())
    grader("nbgrader", "release_feedback", SET)
    bob.exchange("fetch_feedback")
    fetched = (bob.desk() / SET).glob(f"feedback/*/{SET}.html")
    assert any("90.0 / 100.0" in path.read_text() for path in fetched)
