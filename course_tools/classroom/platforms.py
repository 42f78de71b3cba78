"""How Moodle and Canvas name what students have handed in, and who a student is.

Moodle: `Full Name_ID_assignsubmission_file/…` (a folder each, from 4.1 on; with another
`_` at its end before that), or `Full Name_ID_assignsubmission_file_NAME` without
folders.  Canvas: `lastnamefirstname[_LATE]_ID_FILE_NAME`, or `[LATE_]anon_ID_FILE_NAME`
where marking is anonymous.  Standard library only.
"""

import csv
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from course_tools.errors import CommandError

MOODLE = re.compile(r"([^_]*)_(\d+)_assignsubmission_([a-z]+)(?:_(.*))?")
CANVAS = re.compile(r"(\w*?)(_LATE)?_(\d+|anon_[^\W_]+)_(\d+)_(.+)")
ANONYMOUS = re.compile(r"(LATE_)?(anon_(?=\d*[^\W\d_])[^\W_]{5})_(\d+)_(.+)")
# A text or an address that somebody typed instead of handing in a file.
TYPED = r"(?:LATE_)?(?:(\w*?)(?:_LATE)?_)?(\d+|anon_[^\W_]+)_(?:text|link)\.html"
NUMBERS = re.compile(r"(?=_\d+_\d+_)")  # where a student's number may be in it
JUNK = ("__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db")
ID_COLUMNS = ("id", "username", "sis login id", "login id", "id number", "sis user id")
ID_COLUMNS += ("email address", "email")
LONGEST = 100  # characters of a student's id


@dataclass(frozen=True)
class Sender:
    """Whose file it is, in the words of the platform."""

    platform: str
    number: str  # the platform's own
    name: str  # as far as it can be told
    folder: str  # where Moodle wants feedback; "" for Canvas
    late: bool = False


@dataclass(frozen=True)
class Item:
    """One file of an archive."""

    sender: Sender
    entry: str  # its name in the archive
    path: str  # its name as the student gave it, with folders
    order: int  # Canvas counts its files; a later one is newer
    sure: bool = True  # False: whoever chose the names let it be read in two ways


def is_junk(entry: str) -> bool:
    parts = entry.split("/")
    return any(part in JUNK or part.startswith("._") for part in parts)


def read_name(entry: str) -> Item | None:
    """What the name of an entry tells, or None for a name of another kind."""
    parts = entry.split("/")
    for place, part in enumerate(parts):
        if found := MOODLE.fullmatch(part):
            name, number, plugin, flat = found.groups()
            rest = parts[place + 1 :]
            inner = "/".join(filter(None, [flat, *rest]))
            folder = f"{name}_{number}_assignsubmission_{plugin}"
            if inner and plugin == "file":
                sender = Sender("moodle", number, name, folder)
                return Item(sender, entry, inner, 0)
            return None
    named = CANVAS.fullmatch(parts[-1])
    if found := ANONYMOUS.fullmatch(parts[-1]):
        late, number, file, rest = found.groups()
        sender = Sender("canvas", number, "", "", bool(late))
        sure = named is None or not named[3].isdigit()
        return Item(sender, entry, rest, int(file), sure)
    if named:
        name, late, number, file, rest = named.groups()
        sender = Sender("canvas", number, name, "", bool(late))
        sure = len(NUMBERS.findall(parts[-1])) <= 1
        return Item(sender, entry, rest, int(file), sure)
    return None


def typed_by(entry: str) -> Sender | None:
    """Who has typed this text or address into the platform, or None for a file."""
    parts = entry.split("/")
    for part in parts:
        if (found := MOODLE.fullmatch(part)) and found[3] != "file":
            folder = f"{found[1]}_{found[2]}_assignsubmission_file"
            return Sender("moodle", found[2], found[1], folder)
    found = re.fullmatch(TYPED, parts[-1])
    return Sender("canvas", found[2], found[1] or "", "") if found else None


def plain_id(sender: Sender) -> str:
    """An id made of name and number, so that two of one name stay two."""
    text = unicodedata.normalize("NFKD", sender.name).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return "_".join(filter(None, [words[:60], sender.number.lower()]))


def is_safe_id(text: str) -> bool:
    """Whether an id may be the name of a folder, here and for nbgrader."""
    allowed = re.fullmatch(r"[\w@.-][\w@. -]*", text)
    return bool(allowed) and text[0] != "." and len(text) <= LONGEST


class Roster:
    """Students by the platform's number and by name, from a table of any of the three.

    nbgrader's list of students, Moodle's participants or grading worksheet, or a
    gradebook of Canvas.
    """

    def __init__(self, rows: list[dict[str, str]]) -> None:
        self.by_number: dict[str, set[str]] = {}
        self.by_name: dict[str, set[str]] = {}
        for row in rows:
            own = next(filter(None, (row.get(c, "") for c in ID_COLUMNS)), "")
            if not own or not is_safe_id(own):
                continue
            number = row.get("identifier", "").rpartition(" ")[2]
            number = number or (row.get("id", "") if "student" in row else "")
            if "student" in row:  # Canvas: ID is its own number, not the login
                logins = (row.get(c, "") for c in ID_COLUMNS[2:])
                own = next(filter(None, logins), own)
            self.by_number.setdefault(number, set()).add(own)
            for name in names_in(row):
                self.by_name.setdefault(name, set()).add(own)
        self.by_number.pop("", None)

    def find(self, sender: Sender) -> str | None:
        """The student's id, if there is exactly one."""
        found = self.by_number.get(sender.number) or self.by_name.get(key(sender.name))
        return next(iter(found)) if found and len(found) == 1 else None


def key(name: str) -> str:
    """A name without what platforms leave out."""
    return re.sub(r"\W|_", "", unicodedata.normalize("NFC", name)).casefold()


def names_in(row: Mapping[str, str]) -> set[str]:
    """The ways in which a platform may write the name of a student."""
    first = row.get("first name") or row.get("first_name") or row.get("firstname", "")
    last = row.get("last name") or row.get("last_name") or row.get("lastname", "")
    whole = (f"{first} {last}", f"{last} {first}", row.get("full name", ""))
    return {key(name) for name in (*whole, row.get("student", ""))} - {""}


def read_table(path: Path) -> list[list[str]]:
    """The rows of a CSV file; in some countries programs write `;` for the comma."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
        comma = max(",;\t", key=lines[0].count) if lines else ","
        return list(csv.reader(lines, delimiter=comma))
    except (OSError, ValueError, csv.Error) as error:
        why = getattr(error, "strerror", None) or "it is no table"
        raise CommandError(f"{path} cannot be read: {why}", code=2) from None


def read_roster(path: Path) -> Roster:
    table = read_table(path)
    head = [name.strip().lower() for name in table[0]] if table else []
    if not set(head) & {*ID_COLUMNS, "identifier", "student"}:
        wanted = "id, Username, Email address or SIS Login ID"
        raise CommandError(f"{path} has no column of students ({wanted})", code=2)
    rows = [dict(zip(head, map(str.strip, row), strict=False)) for row in table[1:]]
    return Roster(rows)
