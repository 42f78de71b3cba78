"""A machine for a class, made of namespaces: nothing of it is left afterwards.

Runs as root inside `unshare -mnpf --mount-proc`. Accounts are added to copies of
passwd, group and shadow; /home and /srv are empty and in memory; the network is the
loopback alone. Where the repository was there is its hand-out now, as students see it,
with the same environment. Then pytest runs the scenario.
"""

import ctypes
import fcntl
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
from pathlib import Path

PEOPLE = {"grader": 6000, "ada": 6001, "bob": 6002, "cyd": 6003, "eve": 6004}
STUDENTS = ("bob", "cyd", "eve")
PASSWORDS = {name: f"the word of {name}" for name in PEOPLE if name != "grader"}
SET = "ps1_rnn"
COURSE = Path("/srv/instructors/course")
EXCHANGE = Path("/srv/nbgrader/exchange")
HUB = Path("/srv/hub")


def mount(*words: object) -> None:
    subprocess.run(["mount", *map(str, words)], check=True)


def memory(place: Path, size: str = "2G", mode: str = "755") -> None:
    place.mkdir(parents=True, exist_ok=True)
    mount("-t", "tmpfs", "-o", f"size={size},mode={mode}", "tmpfs", place)


def raise_loopback() -> None:
    """`ip link set lo up`, which may not be installed."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14s", b"lo", 1, b"")  # 1: up
        fcntl.ioctl(any_socket, 0x8914, request)


def hashed(password: str) -> str:
    crypt = ctypes.CDLL("libcrypt.so.1").crypt
    crypt.restype = ctypes.c_char_p
    return crypt(password.encode(), b"$6$rounds=1000$course$").decode()


def add_people(scratch: Path) -> None:
    """Accounts with passwords; the grader has none, so nobody logs in as one."""
    lines = {
        "passwd": [f"{n}:x:{u}:{u}::{home(n)}:/bin/bash" for n, u in PEOPLE.items()],
        "group": [f"{n}:x:{u}:" for n, u in PEOPLE.items()],
        "shadow": [
            f"{n}:{hashed(PASSWORDS[n]) if n in PASSWORDS else '!'}:20000:0:99999:7:::"
            for n in PEOPLE
        ],
    }
    lines["group"].append(f"students:x:6010:{','.join(STUDENTS)}")
    for name, added in lines.items():
        copy = scratch / name
        shutil.copy2(f"/etc/{name}", copy)
        own = [line for line in copy.read_text().splitlines() if line]
        kept = [line for line in own if line.split(":")[0] not in {*PEOPLE, "students"}]
        copy.write_text("\n".join([*kept, *added]) + "\n")
        mount("--bind", copy, f"/etc/{name}")
    memory(Path("/home"))
    for name, number in PEOPLE.items():
        folder = Path(home(name))
        folder.mkdir(parents=True, exist_ok=True)
        os.chown(folder, number, number)
        folder.chmod(0o700)


def home(name: str) -> str:
    return str(COURSE.parent) if name == "grader" else f"/home/{name}"


def hand_out(scratch: Path, root: Path, handout: Path, shared: list[Path]) -> None:
    """The students' edition in place of the repository; all they run within reach."""
    shared = [p for p in shared if root in p.parents or not all(map(enters, p.parents))]
    kept = {path: scratch / f"kept{n}" for n, path in enumerate(shared)}
    for path, place in kept.items():
        place.mkdir()
        mount("--bind", path, place)
    for path in (root, *shared):
        if closed := next((p for p in reversed(path.parents) if not enters(p)), None):
            memory(closed)
    for path in (root, *shared):
        path.mkdir(parents=True, exist_ok=True)
    mount("--bind", handout, root)
    for path, place in kept.items():
        path.mkdir(parents=True, exist_ok=True)
        mount("--bind", place, path)


def enters(folder: Path) -> bool:
    return bool(folder.stat().st_mode & 0o001)


def main() -> int:
    told = json.loads(Path(sys.argv[1]).read_text())
    scratch, root = Path(told["scratch"]), Path(told["root"])
    tests = scratch / "tests"
    tests.mkdir()
    mount("--bind", root / "tests", tests)
    raise_loopback()
    memory(Path("/srv"))
    add_people(scratch)
    memory(EXCHANGE, "64M", "1777")
    shutil.copytree(scratch / "clone", COURSE)
    for path in (COURSE, *COURSE.rglob("*")):
        os.chown(path, PEOPLE["grader"], PEOPLE["grader"])
    hand_out(scratch, root, scratch / "handout", [Path(p) for p in told["shared"]])
    environment = {**os.environ, "PYTHONPATH": f"{tests}/support:{tests}/hub"}
    words = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-rA"]
    words += [
        "-c",
        "/dev/null",
        f"--rootdir={scratch}",
        f"--junitxml={told['results']}",
    ]
    words += ["--import-mode=importlib", str(tests / "hub/scenario.py")]
    command = [sys.executable, "-P", "-m", "pytest", *words]
    return subprocess.call(command, env=environment, cwd=scratch)


if __name__ == "__main__":
    sys.exit(main())
