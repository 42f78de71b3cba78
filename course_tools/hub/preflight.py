"""Is it safe to open the doors?  Asked by `./course hub`, and by the hub as it starts.

Each finding is one line: what is wrong, and the command that puts it right.
"""

import grp
import os
import pwd
import re
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

OLDEST_NODE = 20
PROXY, PROXY_VERSION = "configurable-http-proxy", "5.3.0"
# Where students' hands must not reach; what they run lies here.
TOOLS = ("", "course", "course_lib", "course_tools", ".venv", ".venv/bin", ".venv/lib")
SECRET_FOLDERS = ("solutions", "tests/answers")
GRADERS_PORT = 9999  # of the instructors' server, on this machine only
SOCKETS = ("/proc/net/tcp", "/proc/net/tcp6")
LISTENING = "0A"


class Place(NamedTuple):
    """What is looked at; the names are those of jupyterhub_config.py."""

    folder: str
    shared: str
    course: str
    exchange: str
    course_id: str
    grader: str
    instructors: tuple[str, ...]
    group: str
    proxy: tuple[str, ...]


def require(place: Place) -> None:
    """End the process with all findings, unless there are none."""
    found = findings(place)
    if found:
        raise SystemExit("course: the hub does not start:\n  " + "\n  ".join(found))


def findings(place: Place) -> list[str]:
    """Everything that is wrong, in the order in which to put it right."""
    questions: tuple[Callable[[Place], Iterator[str]], ...] = (
        accounts,
        shared_place,
        instructors_place,
        exchange,
        own_folder,
        port,
        proxy,
    )
    return [line for question in questions for line in question(place)]


def accounts(place: Place) -> Iterator[str]:
    home = os.path.dirname(place.course)
    make = f"useradd --system --home-dir {home} --shell /bin/bash {place.grader}"
    if not uid_of(place.grader):
        yield f"there is no account {place.grader}: {make}"
    for name in place.instructors:
        if uid_of(name) is None:
            yield f"there is no account {name}: useradd --create-home {name}"
    if not place.group:
        return
    try:
        members = set(grp.getgrnam(place.group).gr_mem)
    except KeyError:
        yield f"there is no group {place.group}: groupadd {place.group}"
        return
    if place.grader in members:
        line = f"{place.grader} is one of the group {place.group}"
        yield f"{line}: gpasswd --delete {place.grader} {place.group}"


def shared_place(place: Place) -> Iterator[str]:
    shared = Path(place.shared)
    for name in SECRET_FOLDERS:
        if (shared / name).exists():
            line = f"{shared / name} would be read by students"
            yield f"{line}: make a hand-out (./course handout DIR) and use that one"
    python = shared / ".venv" / "bin" / "python"
    if not python.exists():
        yield f"{python} is missing: {shared}/course setup hub"
        return
    for path in (python, python.resolve(), *map(Path, place.proxy)):
        for parent in hidden_parents(path):
            yield f"nobody else can enter {parent}, where {path} lies: move it"
    for name in TOOLS:
        yield from only_root_writes(shared / name)


def instructors_place(place: Place) -> Iterator[str]:
    course = place.course
    if not os.path.isfile(f"{course}/nbgrader_config.py"):
        yield f"{course} holds no course: put a clone there"
        return
    facts = os.stat(course)
    if facts.st_uid != uid_of(place.grader):
        yield f"{course} is not {place.grader}'s: chown -R {place.grader}: {course}"
    if facts.st_mode & 0o077:
        yield f"others can look into {course}: chmod 700 {course}"
    local = f"{course}/nbgrader_local.py"
    if not os.path.exists(local):
        make = f"install -o {place.grader} -m 600 {place.folder}/nbgrader_local.py"
        yield f"{local} is missing: {make} {course}/"


def exchange(place: Place) -> Iterator[str]:
    """Made in advance: whoever makes a folder first owns it."""
    yield from folder_as(place.exchange, "root", 0o1777)
    own = f"{place.exchange}/{place.course_id}"
    # the sticky bit on inbound: nobody removes what another has handed in
    modes = {"": 0o755, "/outbound": 0o755, "/inbound": 0o3733, "/feedback": 0o711}
    for name, mode in modes.items():
        yield from folder_as(f"{own}{name}", place.grader, mode)


def folder_as(path: str, owner: str, mode: int) -> Iterator[str]:
    """A folder, no link, with this owner and mode, in one that only root changes."""
    make = f"install -d -o {owner} -g {owner} -m {mode:o} {path}"
    try:
        facts = os.lstat(path)
    except OSError:
        yield f"{path} is missing: {make}"
        return
    if not stat.S_ISDIR(facts.st_mode):
        yield f"{path} is no folder: move it away, then {make}"
    elif facts.st_uid != uid_of(owner):
        yield f"{path} belongs to {name_of(facts.st_uid)}: look at it, then {make}"
    elif stat.S_IMODE(facts.st_mode) != mode:
        yield f"{path} has mode {stat.S_IMODE(facts.st_mode):o}: chmod {mode:o} {path}"


def own_folder(place: Place) -> Iterator[str]:
    yield from only_root_writes(Path(place.folder))
    yield from only_root_writes(Path(place.folder) / "students")


def port(place: Place) -> Iterator[str]:
    """Where the hub sends instructors: any account could have taken it before."""
    for number, uid in sorted(listeners()):
        if number == GRADERS_PORT and uid not in (0, uid_of(place.grader)):
            line = f"{name_of(uid)} listens on port {number}, the instructors' server's"
            yield f"{line}: fuser -k -n tcp {number}"


def listeners() -> set[tuple[int, int]]:
    """(port, user) of all that waits for connections on this machine."""
    tables = [Path(name) for name in SOCKETS if os.path.exists(name)]
    rows = [line.split() for table in tables for line in table.read_text().splitlines()]
    return {
        (int(row[1].rpartition(":")[2], 16), int(row[7]))
        for row in rows
        if row[3:4] == [LISTENING]
    }


def proxy(place: Place) -> Iterator[str]:
    if not place.proxy or not shutil.which(place.proxy[-1]):
        yield f"{PROXY} is missing: npm install -g {PROXY}@{PROXY_VERSION}"
    node = shutil.which("node")
    version = node_version(node) if node else 0
    if version < OLDEST_NODE:
        yield f"Node.js {OLDEST_NODE} or newer is needed (found: {version or 'none'})"


def node_version(node: str) -> int:
    done = subprocess.run([node, "--version"], capture_output=True, check=False)
    found = re.match(rb"v(\d+)", done.stdout)
    return int(found[1]) if found else 0


def only_root_writes(path: Path) -> Iterator[str]:
    if not path.exists():
        return
    facts = path.stat()
    if facts.st_uid != 0:
        yield f"{path} belongs to {name_of(facts.st_uid)}: chown -R root: {path}"
    if facts.st_mode & 0o022:
        yield f"others than root can write to {path}: chmod go-w {path}"


def hidden_parents(path: Path) -> Iterator[Path]:
    """The folders on the way to a file that not everybody may enter."""
    for parent in reversed(path.parents):
        if not parent.stat().st_mode & stat.S_IXOTH:
            yield parent


def uid_of(name: str) -> int | None:
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        return None


def name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
