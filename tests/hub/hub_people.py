"""A hub that runs, and the people who use it, by browser and in a terminal."""

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

from browser_jupyter import MILLISECONDS, MINUTES, new_page, wait_until_it_answers
from playwright.sync_api import BrowserContext, Page
from world import COURSE, EXCHANGE, HUB, PASSWORDS, PEOPLE, SET, home

ADDRESS = "http://127.0.0.1:8000"
COURSE_ID = "recurrence_to_attention"
SERVICE = f"{ADDRESS}/services/{COURSE_ID}"
INBOUND = EXCHANGE / COURSE_ID / "inbound"
ADVICE = re.compile(r"^  .+?: ((?:install|chmod|chown) .+)$", re.MULTILINE)


def course(*words: object) -> subprocess.CompletedProcess:
    """`./course WORDS` in the shared place, as root."""
    command = [sys.executable, "-P", "-m", "course_tools", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def set_up_as_told() -> str:
    """`./course hub`, then the commands that it asks for, until it is content."""
    done = course("hub", HUB, "--instructor", "ada")
    assert done.returncode == 0, done.stderr
    said = done.stdout
    for _ in range(3):
        commands = ADVICE.findall(said)
        if not commands:
            break
        for command in commands:
            subprocess.run(shlex.split(command), check=True)
        said = course("hub", HUB, "--check").stdout
    return said


@contextlib.contextmanager
def running_hub(log: Path):
    """The hub, started by the command that `./course hub` has printed."""
    line = (HUB / "course-hub.service").read_text()
    command = shlex.split(re.search(r"^ExecStart=(.+)$", line, re.MULTILINE)[1])
    with log.open("w") as stream:
        hub = subprocess.Popen(command, cwd=HUB / "state", stdout=stream, stderr=stream)
    try:
        wait_until_it_answers(f"{ADDRESS}/hub/api", hub)
        yield hub
    finally:
        hub.terminate()
        hub.wait(MINUTES * 60)


def account(name: str, folder: str = "", **more: str) -> dict[str, Any]:
    """How a program is started as a person starts it in a terminal."""
    members = subprocess.check_output(["id", "-G", name], text=True)
    return {
        "user": PEOPLE[name],
        "group": PEOPLE[name],
        "extra_groups": [int(number) for number in members.split()],
        "cwd": folder or home(name),
        "umask": 0o022,
        "env": {
            "HOME": home(name),
            "PATH": f"{os.path.dirname(sys.executable)}:/usr/bin:/bin",
            "OMP_NUM_THREADS": "1",
            **more,
        },
    }


def as_user(name: str, *words: object, folder: str = "", **more: str):
    """What a person may do in a terminal; returns code and all output."""
    command, how = [str(word) for word in words], account(name, folder, **more)
    done = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    return done.returncode, done.stdout + done.stderr


def python_as(name: str, code: str) -> tuple[int, str]:
    return as_user(name, sys.executable, "-P", "-c", code)


def grader(*words: object) -> str:
    """A command in the instructors' terminal."""
    code, said = as_user("grader", *words, folder=str(COURSE))
    assert code == 0, said
    return said


@contextlib.contextmanager
def watching(assignment: str, log: Path):
    """`./course grade SET --watch` in a terminal of the instructors'."""
    command = [sys.executable, "-P", "-m", "course_tools", "grade", assignment]
    command += ["--course", ".", "--watch"]
    how = account("grader", str(COURSE))
    with log.open("w") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=stream, **how)
    try:
        until(lambda: "watching" in log.read_text() or process.poll() is not None)
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(MINUTES * 60)
        print(log.read_text())


class Person:
    """Somebody at a browser."""

    def __init__(self, chromium, name: str):
        self.name = name
        self.page: Page = new_page(chromium, 1400, 1100)
        self.context: BrowserContext = self.page.context
        self.server = f"{ADDRESS}/user/{name}"

    def log_in(self, password: str = "", to: str = "/hub/home") -> None:
        self.page.goto(f"{ADDRESS}/hub/login?next={quote(to, safe='')}")
        self.page.fill("#username_input", self.name)
        self.page.fill("#password_input", password or PASSWORDS[self.name])
        self.page.click("#login_submit")
        self.page.wait_for_load_state("load")

    def ask(self, method: str, address: str, data=None):
        """What a page of the hub or of a server would ask."""
        place = address.removeprefix(ADDRESS)
        jar = [c for c in self.context.cookies() if c["name"] == "_xsrf"]
        fitting = [c for c in jar if place.startswith(c["path"])]
        token = max(fitting, key=lambda c: len(c["path"]), default={"value": ""})
        return self.context.request.fetch(
            address,
            method=method,
            data=json.dumps(data) if data is not None else None,
            headers={
                "X-XSRFToken": token["value"],
                "Content-Type": "application/json",
                "Referer": f"{ADDRESS}/hub/home",
            },
            timeout=MILLISECONDS,
        )

    def start_server(self) -> None:
        """Without opening JupyterLab, and until it answers."""
        mine = f"{ADDRESS}/hub/api/users/{self.name}"
        answer = self.ask("POST", f"{mine}/server", {})
        assert answer.ok, answer.text()
        until(lambda: self.ask("GET", mine).json()["servers"].get("", {}).get("ready"))
        self.page.goto(
            f"{self.server}/assignments"
        )  # by way of the hub, which knows us

    def exchange(self, step: str) -> list[dict]:
        """Fetch, submit or fetch_feedback, as the list of assignments does it."""
        wanted = {"course_id": COURSE_ID, "assignment_id": SET}
        answer = self.ask("POST", f"{self.server}/assignments/{step}", wanted)
        said = answer.json()
        assert said["success"], said
        return said["value"]

    def desk(self) -> Path:
        return Path(home(self.name)) / COURSE_ID

    def answer(self, answers: dict[str, str]) -> None:
        """Write into the fetched notebook as the person's editor would."""
        path = self.desk() / SET / f"{SET}.ipynb"
        book = json.loads(path.read_text())
        for cell in book["cells"]:
            name = cell["metadata"].get("nbgrader", {}).get("grade_id")
            if name in answers:
                cell["source"] = answers[name]
        path.write_text(json.dumps(book))


def until(condition, minutes: float = MINUTES):
    """Wait for a state; returns it."""
    end = time.monotonic() + 60 * minutes
    while not (found := condition()):
        assert time.monotonic() < end, "this did not come"
        time.sleep(0.1)
    return found


def solutions() -> dict[str, str]:
    """The right answers of the set, by cell."""
    book = json.loads((COURSE / f"solutions/{SET}/{SET}.ipynb").read_text())
    metas = [(c["metadata"].get("nbgrader", {}), c) for c in book["cells"]]
    found = {m["grade_id"]: "".join(c["source"]) for m, c in metas if m.get("solution")}
    marks = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
    return {name: marks.sub("", text) for name, text in found.items()}


def handed_in(name: str) -> list[Path]:
    return sorted(INBOUND.glob(f"{name}+{SET}+*/submission_secret.txt"))
