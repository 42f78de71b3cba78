"""What lies in the exchange's inbound folder, where students write as they like.

A submission is a folder named STUDENT+SET+TIME+RANDOM. Anybody can make one under any
name and put links, pipes or somebody else's files in it. So a folder counts only if it
belongs to the student whom it names, and a file only if it is a plain one of the same
owner. Each is opened once, without following a link, and asked for its owner after
that, so it does not help to swap something meanwhile.
"""

import fnmatch
import os
import pwd
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from nbgrader.utils import parse_utc

from course_tools.grading.course.exchange import SECRET
from course_tools.grading.limits import (
    FOLDER_BYTES,
    FOLDER_DEPTH,
    FOLDER_FILES,
    INBOUND_FILES,
    NOTEBOOK_BYTES,
    STAMP_BYTES,
)
from course_tools.grading.text import writable

# `nbgrader submit` chooses the time, copies, and sets modes: minutes on a busy disk.
COPYING = timedelta(minutes=5)
LAST_YEAR = 9999  # no place on earth can show its last days in its own time
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Refused(Exception):
    """Why a folder is no submission."""


@dataclass(frozen=True)
class Arrived:
    """A submission: whose it is, when it says it came, when it last changed."""

    student: str
    owner: int
    said: datetime  # UTC, without a zone, as nbgrader has them
    changed: datetime

    @property
    def is_backdated(self) -> bool:
        return self.changed - self.said > COPYING

    @property
    def is_ahead(self) -> bool:
        return self.said - self.changed > COPYING


def examined(path: str, check_owner: bool = True) -> Arrived:
    """What a folder is; raises Refused if it counts for nothing."""
    parts = os.path.basename(path).rsplit("+", 3)
    if len(parts) < 3 or len(parts[2]) > STAMP_BYTES or parts[0][:1] in ("", "."):
        raise Refused("its name is none of a submission")
    try:
        said = parse_utc(parts[2])
    except Exception:  # dateutil has many ways to fail
        raise Refused("there is no time in its name") from None
    if not said.year < LAST_YEAR:
        raise Refused("the time in its name is none of ours")
    with opened(path) as folder:
        owner = os.fstat(folder).st_uid
        if check_owner and name_of(owner) != parts[0]:
            raise Refused(f"it belongs to {name_of(owner)}, not to {parts[0]}")
        try:
            changed = last_change(folder)
            names = os.listdir(folder)
        except OSError:  # a file that is gone again
            raise Refused("it changes while it is read; collect again") from None
    if SECRET not in names:
        raise Refused("it is not complete; collect again")
    return Arrived(parts[0], owner, said, changed)


def last_change(folder: int) -> datetime:
    """When anything in a folder was last changed."""
    seconds = max(facts.st_ctime for facts in all_facts(folder))
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)


def contents(
    path: str, ignore: Sequence[str], expected: int, changed: datetime
) -> tuple[dict[str, bytes], list[str]]:
    """{path below the folder: bytes} of its owner's plain files, and what was left out.

    The owner must still be the one who was there when the folder was examined, and
    nothing may have changed since: who sees it being opened could change an answer
    that counts as handed in long ago.
    Notebooks and the secret come first, so that nothing else can take their room.
    """
    found: dict[str, bytes] = {}
    left_out: list[str] = []
    with opened(path) as folder:
        owner = os.fstat(folder).st_uid
        room = {True: FOLDER_BYTES, False: FOLDER_BYTES}  # of notebooks, of the rest
        if owner != expected:
            raise Refused("another folder has taken its place")
        for name in sorted(names_in(folder, ignore), key=in_order):
            book = name.endswith(".ipynb")
            most = min(NOTEBOOK_BYTES, room[book]) if book else room[book]
            full = len(found) == FOLDER_FILES
            data = None if full else read(folder, name, owner, most)
            if data is None:
                left_out.append(writable(name))
                continue
            found[name] = data
            room[book] -= len(data)
        if last_change(folder) > changed:
            raise Refused("it has changed meanwhile; collect again")
    return found, left_out


def in_order(name: str) -> tuple[bool, int, str]:
    return not name.endswith((".ipynb", SECRET)), name.count("/"), name


class opened:
    """The descriptor of a folder that is no link; closed at the end."""

    def __init__(self, path: str) -> None:
        try:
            self.descriptor = os.open(path, FLAGS | os.O_DIRECTORY)
        except OSError:
            raise Refused("it is no folder that can be read") from None

    def __enter__(self) -> int:
        return self.descriptor

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)


def walk(folder: int) -> Iterator[tuple[str, list[str], list[str], int]]:
    """os.fwalk, which follows no link, down to a depth."""
    for parent, folders, names, here in os.fwalk(".", dir_fd=folder):
        if parent.count("/") > FOLDER_DEPTH:
            folders.clear()
        yield parent, folders, names, here


def all_facts(folder: int) -> Iterator[os.stat_result]:
    """Of everything in the folder. No student can set back when something changed."""
    count = 0
    for _, _, names, here in walk(folder):
        yield os.fstat(here)
        count += len(names) + 1
        if count > INBOUND_FILES:
            raise Refused(f"there are more than {INBOUND_FILES} files in it")
        for name in names:
            yield os.stat(name, dir_fd=here, follow_symlinks=False)


def names_in(folder: int, ignore: Sequence[str]) -> list[str]:
    """The files below a folder, at most a few more than are taken."""
    found: list[str] = []
    for parent, folders, names, _ in walk(folder):
        folders[:] = sorted(name for name in folders if not is_ignored(name, ignore))
        kept = [name for name in sorted(names) if not is_ignored(name, ignore)]
        found += [os.path.normpath(os.path.join(parent, name)) for name in kept]
        if len(found) > 2 * FOLDER_FILES:
            break
    return found


def is_ignored(name: str, ignore: Sequence[str]) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in ignore)


def read(folder: int, name: str, owner: int, most: int) -> bytes | None:
    """The bytes of a plain file of this owner, if there are no more than that."""
    try:
        descriptor = os.open(name, FLAGS, dir_fd=folder)
    except OSError:
        return None
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode) or facts.st_uid != owner:
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(most + 1)
    return data if len(data) <= most else None


def name_of(owner: int) -> str:
    try:
        return pwd.getpwuid(owner).pw_name
    except KeyError:
        return f"user {owner}"
