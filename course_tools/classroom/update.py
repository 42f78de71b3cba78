"""`./course update`: a newer edition, and nothing of one's own work lost.

What a person has written is told by fingerprints (see edition.py), which running a
notebook does not change.  Files nobody wrote in are replaced, others stay as they are,
and the new one is put beside.  All new files are first brought to .update/; what then
moves where is written down there, and finish.py does it.
"""

import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

from course_tools.classroom import edition, finish, handout
from course_tools.classroom.archive import Archive, Refused, Room
from course_tools.classroom.edition import Edition, fingerprint
from course_tools.errors import CommandError

Known = dict[str, set[str]]  # path -> fingerprints it has had as part of the course
MAC = "__MACOSX/"  # what a Mac adds to every zip file it makes
UNPACKED = 2**29  # bytes; a hand-out has some 20 million


@dataclass(frozen=True)
class Move:
    """A file takes its place, or goes, if what is expected lies there."""

    target: str
    expected: str | None  # finish.digest of what lies there now
    kind: str


@dataclass
class Plan:
    """What moves where; the lists are for the person."""

    moves: list[Move] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)  # own file -> the new one
    left: list[str] = field(default_factory=list)  # own, no longer part of the course

    def move(self, target: str, expected: str | None, kind: str = "put") -> None:
        self.moves.append(Move(target, expected, kind))


def update(root: Path, source: Path | None) -> str:
    """Bring the edition in `source` to `root`; return what to tell the person."""
    if (root / finish.FOLDER).is_dir():
        go_on(root)
    with opened(root, source) as folder:
        everything = all((f / "solutions").is_dir() for f in (root, folder))
        own, (found, new) = edition.read(root), read(folder, everything)
    if own and is_older(new, own):
        line = f"that is edition {new.name}, older than yours, {own.name}"
        raise CommandError(f"{line}; nothing was changed")
    return report(bring(root, found, new), new, found)


def bring(root: Path, found: Mapping[str, bytes], new: Edition) -> Plan:
    """Put these files there, as far as nothing of the person's is in the way."""
    if (root / finish.FOLDER).is_dir():
        go_on(root)
    plan = make_plan(root, found, known_of(root, edition.read(root)))
    if plan.moves:
        stage(root, plan, found, new)
        go_on(root)
    return plan


def go_on(root: Path) -> None:
    """Let the new files take their places; what is in the way is named."""
    try:
        finish.finish(root / finish.FOLDER)
    except OSError as error:
        where = error.filename2 or error.filename
        line = f"the update stopped at {where}: {error.strerror}; put that right"
        raise CommandError(f"{line}, and the next start of ./course goes on") from None


# ---- where it comes from ----


@contextmanager
def opened(root: Path, source: Path | None) -> Iterator[Path]:
    """The folder with the new edition; a zip file or a commit is unpacked first."""
    if source is not None and source.is_dir():
        if source.resolve() == root.resolve():
            raise CommandError("that is this course itself", code=2)
        yield source
        return
    with tempfile.TemporaryDirectory() as scratch:
        if source is None:
            fetch(root, Path(scratch))
        else:
            unpack(source, Path(scratch))
        top = top_of(Path(scratch))
        if source is not None and not handout.is_course(top):
            raise CommandError(f"{source} holds no course")
        yield top


def unpack(source: Path, folder: Path) -> None:
    archive = Archive(source)
    if archive.problems:
        raise CommandError(f"{source} is no hand-out: {archive.problems[0]}")
    room = Room(UNPACKED)
    for name in archive.entries:
        if name.startswith(MAC):
            continue
        place = folder / name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(archive.read(name, room))
        except Refused as error:
            raise CommandError(f"{source}: {name} {error}; get it again") from None
        except OSError as error:
            line = f"{source} cannot be unpacked: {error.strerror or error}"
            raise CommandError(f"{line}; nothing was changed") from None


def fetch(root: Path, folder: Path) -> None:
    """What the place where a clone came from has by now; the clone stays as it is."""
    if not (root / ".git").exists():
        line = "which edition? ./course update FILE.zip, or the folder of a newer one"
        raise CommandError(line, code=2)
    ask_git(root, "fetch", "-q")
    tar = ask_git(root, "archive", "--format=tar", "@{upstream}")
    with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
        if hasattr(tarfile, "data_filter"):
            archive.extractall(folder, filter="data")
        else:  # Python before 3.11.4, such as Debian 12's; git wrote this archive
            archive.extractall(folder)


def ask_git(root: Path, *arguments: str) -> bytes:
    command = ["git", "-C", str(root), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError:
        raise CommandError("git is not installed") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise CommandError(f"git {arguments[0]}: {said[-1] if said else 'failed'}")
    return done.stdout


def top_of(folder: Path) -> Path:
    """Archives hold the course in a folder of its own, or at the top."""
    inside = list(folder.iterdir())
    if len(inside) == 1 and inside[0].is_dir():
        return inside[0]
    return folder


def read(folder: Path, everything: bool) -> tuple[dict[str, bytes], Edition]:
    """The files of an edition; a hand-out must be whole."""
    said = edition.read(folder)
    if said is None or (folder / ".git").exists():
        found = handout.contents(folder, everything)
        version = edition.version_of(found["pyproject.toml"])
        return found, edition.of(found, version, edition.date_of(folder))
    found = {}
    for path, expected in said.files.items():
        place = folder / path
        data = place.read_bytes() if inside(folder, place) and place.is_file() else b""
        if fingerprint(path, data) != expected:
            raise CommandError(f"{folder} is not whole ({path}); get it again")
        found[path] = data
    return found, said


def inside(folder: Path, place: Path) -> bool:
    return place.resolve().is_relative_to(folder.resolve())


def is_older(new: Edition, own: Edition) -> bool:
    try:
        dates = [datetime.fromisoformat(e.date) for e in (new, own)]
        return dates[0] < dates[1]
    except (ValueError, TypeError):
        return False


# ---- what is the person's own ----


def known_of(root: Path, own: Edition | None) -> Known:
    """How the files of the course were before anybody worked on them."""
    known: Known = {path: {mark} for path, mark in (own.files if own else {}).items()}
    if not (root / ".git").exists():
        return known
    try:
        tar = ask_git(root, "archive", "--format=tar", "HEAD")
    except CommandError:
        return known
    with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
        for member in archive:
            if (stream := archive.extractfile(member)) is not None:
                mark = fingerprint(member.name, stream.read())
                known.setdefault(member.name, set()).add(mark)
    return known


def make_plan(root: Path, found: Mapping[str, bytes], known: Known) -> Plan:
    plan = Plan()
    for path in sorted({*found, *known}):
        if path in found:
            plan_file(plan, root, path, found[path], known.get(path, set()))
        elif (root / path).is_file() and is_students_part(path, found):
            if mark_of(root, path) in known[path]:
                plan.move(path, finish.digest(root / path), "remove")
                plan.removed.append(path)
            else:
                plan.left.append(path)
    return plan


def is_students_part(path: str, found: Mapping[str, bytes]) -> bool:
    """A hand-out says nothing of what is not in it, such as a clone's solutions."""
    whole = any(name.startswith("solutions/") for name in found)
    return whole or handout.is_for_students(path)


def mark_of(root: Path, path: str) -> str:
    return fingerprint(path, (root / path).read_bytes())


def plan_file(plan: Plan, root: Path, path: str, new: bytes, marks: set[str]) -> None:
    """What becomes of one file of the new edition."""
    place, mark = root / path, fingerprint(path, new)
    there = finish.digest(place)
    if there is None:
        require_folders(root, path)
        plan.move(path, None)
        plan.added.append(path)
        return
    own = mark_of(root, path) if there else "a folder or a link"
    if own == mark:
        return
    if own in marks:
        plan.move(path, there)
        plan.replaced.append(path)
    elif mark not in marks:
        plan.kept[path] = put_beside(plan, root, path, mark, marks)


def require_folders(root: Path, path: str) -> None:
    """A folder of the course cannot be where a person has a file of that name."""
    for parent in Path(path).parents:
        if os.path.lexists(root / parent) and not (root / parent).is_dir():
            line = f"the new edition has a folder {parent.as_posix()}, where you have a"
            raise CommandError(f"{line} file: rename yours first; nothing was changed")


def put_beside(plan: Plan, root: Path, path: str, mark: str, marks: set[str]) -> str:
    """Where the new file goes when the person's own stays; returns that place."""
    for number in range(1, 10_000):
        place = finish.beside(Path(path), number).as_posix()
        there = finish.digest(root / place)
        own = mark_of(root, place) if there else ""
        if own == mark:
            break
        if there is None or own in marks:  # free, or an earlier edition's, untouched
            plan.move(place, there)
            break
    else:
        raise CommandError(f"too many new files beside {path}; tidy up there")
    return place


# ---- doing it ----


def stage(root: Path, plan: Plan, found: Mapping[str, bytes], new: Edition) -> None:
    """Bring all that is needed to .update/, and write down what moves where.

    Where that fails, on a full disk say, nothing of it stays.
    """
    folder = root / finish.FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    try:
        fill(folder, plan, found, new)
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, OSError):
            line = f"the new files cannot be stored: {error.strerror or error}"
            raise CommandError(f"{line}; nothing was changed") from None
        raise


def fill(folder: Path, plan: Plan, found: Mapping[str, bytes], new: Edition) -> None:
    """What stage() brings; what is written last makes it count."""
    origins = {place: path for path, place in plan.kept.items()}
    (folder / finish.NEW).mkdir(parents=True)
    for move in plan.moves:
        if move.kind == "put":
            path = origins.get(move.target, move.target)
            write(folder / finish.NEW / move.target, found[path], path)
    write(folder / finish.NEW / edition.RECORD, new.as_json().encode(), "")
    plan.move(edition.RECORD, None, "always")
    shutil.copyfile(finish.__file__, folder / "finish.py")
    draft = folder / "moves.draft"
    draft.write_text(
        json.dumps([asdict(move) for move in plan.moves]), encoding="utf-8"
    )
    os.replace(draft, folder / finish.MOVES)  # from here on it will be finished


def write(place: Path, data: bytes, path: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    place.chmod(handout.mode_of(path))


def report(plan: Plan, new: Edition, found: Mapping[str, bytes]) -> str:
    """What happened, in a few lines."""
    if not plan.moves:
        lines = [f"This is edition {new.name}; there is nothing new."]
    else:
        counts = (
            (plan.replaced, "replaced"),
            (plan.added, "new"),
            (plan.removed, "gone"),
        )
        said = ", ".join(f"{len(paths)} {word}" for paths, word in counts if paths)
        lines = [f"Now edition {new.name}: files {said or 'beside yours'}."]
    if plan.kept:
        lines.append("You have worked on these; they stay, the new ones lie beside:")
        lines += [f"  {own}  (new: {Path(n).name})" for own, n in plan.kept.items()]
    if plan.left:
        lines.append("No longer part of the course, but you have worked on them:")
        lines += [f"  {path}" for path in plan.left]
    if any(path.startswith("requirements/") for path in plan.replaced):
        lines.append("The next ./course lab installs what has changed.")
    return "\n".join(lines)
