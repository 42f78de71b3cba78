"""An edition of the course: its version, and how to recognise each of its files.

A hand-out carries this in edition.json.  The fingerprint of a file is that of what a
person wrote in it: running a notebook, or Windows' ends of lines, do not change it.
Standard library only.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from course_tools.errors import CommandError

RECORD = "edition.json"
# What lies in a course folder and belongs to the machine or to the person.
IGNORED = {"__pycache__", "submitted", "autograded", "feedback"}


@dataclass(frozen=True)
class Edition:
    """What an edition consists of."""

    version: str
    date: str  # of the last change, or "" where that is not known
    files: dict[str, str]  # path -> fingerprint
    questions: dict[str, dict[str, float]] = field(default_factory=dict)  # per set

    @property
    def name(self) -> str:
        """Version, day and the beginning of a fingerprint of all files."""
        listed = json.dumps(self.files, sort_keys=True).encode()
        short = hashlib.sha256(listed).hexdigest()[:8]
        return " ".join(filter(None, [self.version, self.date[:10], f"({short})"]))

    def as_json(self) -> str:
        return json.dumps(asdict(self), indent=1, sort_keys=True) + "\n"


def fingerprint(path: str, data: bytes) -> str:
    """The same for two files in which a person has written the same."""
    if path.endswith(".ipynb"):
        data = written(data)
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def written(data: bytes) -> bytes:
    """What a person has written in a notebook; all of it, if it cannot be read."""
    try:
        cells = [_cell(cell) for cell in json.loads(data)["cells"]]
        return json.dumps(cells, sort_keys=True).encode()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return data


def _cell(cell: Mapping) -> list:
    """Kind, text and pictures: not outputs, counts, metadata."""
    source = cell["source"]
    text = source if isinstance(source, str) else "".join(source)
    return [cell["cell_type"], text, cell.get("attachments") or {}]


def read(folder: Path) -> Edition | None:
    """The edition that a folder says it is, or None."""
    try:
        return parse((folder / RECORD).read_bytes())
    except OSError:
        return None


def parse(data: bytes) -> Edition | None:
    """What edition.json says, or None if it says nothing that makes sense."""
    try:
        said = json.loads(data)
        files = {str(path): str(print_) for path, print_ in said["files"].items()}
        questions = {
            str(name): {str(key): float(points) for key, points in own.items()}
            for name, own in said["questions"].items()
        }
        return Edition(str(said["version"]), str(said["date"]), files, questions)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def of(contents: Mapping[str, bytes], version: str, date: str) -> Edition:
    """The edition that consists of these files."""
    files = {path: fingerprint(path, data) for path, data in sorted(contents.items())}
    return Edition(version, date, files, _questions(contents))


def _questions(contents: Mapping[str, bytes]) -> dict[str, dict[str, float]]:
    """The questions of each released set with their points."""
    found = {}
    for path, data in sorted(contents.items()):
        folder, _, name = path.rpartition("/")
        if folder.startswith("assignments/") and name.endswith(".ipynb"):
            cells = json.loads(data)["cells"]
            metas = [cell["metadata"].get("nbgrader", {}) for cell in cells]
            own = {m["grade_id"]: float(m["points"]) for m in metas if m.get("grade")}
            found[name.removesuffix(".ipynb")] = own
    return found


def version_of(pyproject: bytes) -> str:
    return str(tomllib.loads(pyproject.decode("utf-8"))["project"]["version"])


def paths_in(folder: Path) -> list[str]:
    """The files of a course, as git knows them, or all but what people make in it."""
    require_readable_by_git(folder)
    if (folder / ".git").exists() and (listed := git(folder, "ls-files", "-z")):
        # what ./course update has brought into a clone is not in git yet
        paths: Iterable[str] = {*listed.split("\0"), *brought(folder)}
    else:
        found = folder.rglob("*")
        paths = (path.relative_to(folder).as_posix() for path in found)
    kept = [path for path in paths if path and not _is_private(path)]
    return sorted(path for path in kept if _is_plain(folder / path))


def brought(folder: Path) -> Iterable[str]:
    """The files of the edition that `./course update` has left in a folder."""
    own = read(folder)
    return own.files if own else ()


def _is_private(path: str) -> bool:
    parts = path.split("/")
    hidden = parts[0] not in (".ci", ".github") and any(p[0] == "." for p in parts[:-1])
    return hidden or not IGNORED.isdisjoint(parts) or path == RECORD


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def require_readable_by_git(folder: Path) -> None:
    """Git reads nobody else's clone: without its list, drafts would go out as well."""
    if not (folder / ".git").exists() or not shutil.which("git"):
        return
    owner = folder.stat().st_uid
    is_mine = not hasattr(os, "geteuid") or owner == os.geteuid()
    if is_mine or git(folder, "rev-parse", "--git-dir"):
        return
    name = _name_of(owner)
    line = f"git does not read {folder}, which belongs to {name}"
    raise CommandError(f"{line}: do this as {name} (su - {name})")


def _name_of(user: int) -> str:
    try:
        import pwd

        return pwd.getpwuid(user).pw_name
    except (ImportError, KeyError):
        return f"user {user}"


def git(folder: Path, *arguments: str) -> str:
    """What git says, or "" where there is no git or it refuses."""
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.decode("utf-8", "replace")


def date_of(folder: Path) -> str:
    """When the course in a clone was last changed, or ""."""
    if not (folder / ".git").exists():
        return ""
    return git(folder, "log", "-1", "--format=%cI").strip()
