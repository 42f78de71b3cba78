"""The students' edition: all of the course but solutions, hidden tests and banks.

What is handed out is listed here, and nothing else is.  The same course gives the same
bytes, as a folder or as a zip file.
"""

import contextlib
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from course_tools.classroom import edition
from course_tools.errors import CommandError

FOLDERS = ("assignments/", "course_lib/", "course_tools/", "notebooks/")
FILES = ("course", "LICENSE", "CHANGELOG.md", "CITATION.cff", "environment.yml")
FILES += ("nbgrader_config.py", "pyproject.toml")
README, LAUNCHER = "README.md", "course"
# Sections of the README that students get, and how they are called there.
SECTIONS = {"Two commands": "How to start", "For students": "For students"}
NOT_THERE = re.compile(r"\./course (test|grade|setup --all|setup grade)\b")
PICTURE = re.compile(r"!\[[^\]]*\]\((docs/[^)]+)\)")
LICENCE = "Code is under the MIT licence, text and figures under CC BY 4.0: see"
MARKS = ("BEGIN HIDDEN TESTS", "BEGIN SOLUTION")
EPOCH = (1980, 1, 1, 0, 0, 0)  # the time of every file in a zip: the same each time


def contents(root: Path, everything: bool = False) -> dict[str, bytes]:
    """{path: bytes} of what students get of the course in `root`, or of all of it."""
    paths = edition.paths_in(root)
    if not is_course(root):
        raise CommandError(f"{root} holds no course")
    if everything:
        return {path: (root / path).read_bytes() for path in paths}
    chosen = [path for path in paths if is_for_students(path)]
    found = {path: (root / path).read_bytes() for path in chosen}
    text = (root / README).read_text(encoding="utf-8")
    readme = students_readme(text) if (root / "solutions").is_dir() else text
    for name in PICTURE.findall(readme):
        found[name] = (root / name).read_bytes()
    found[README] = readme.encode()
    return found


def is_course(folder: Path) -> bool:
    return (folder / LAUNCHER).is_file() and (folder / "pyproject.toml").is_file()


def is_for_students(path: str) -> bool:
    listed = path.startswith((*FOLDERS, "requirements/")) or path in FILES
    return listed and not path.endswith(("~", ".tmp", ".pyc"))


def students_readme(text: str) -> str:
    """The README without the parts for others, and without what is not handed out."""
    lead, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    parts = [section.partition("\n") for section in sections]
    kept = [
        f"{SECTIONS[title]}\n{rest}" for title, _, rest in parts if title in SECTIONS
    ]
    whole = "## ".join([lead, *kept])
    lines = [line for line in whole.splitlines() if not is_for_others(line)]
    return "\n".join(lines).rstrip() + f"\n\n{LICENCE} [LICENSE](LICENSE).\n"


def is_for_others(line: str) -> bool:
    """Whether a line of a block of commands needs what students do not have."""
    return bool(NOT_THERE.match(line))


def require_unanswered(found: Mapping[str, bytes]) -> None:
    """An instructor may have tried a set where it lies: that must not go out."""
    import nbformat

    from course_tools.grading.plan.released import is_untouched, meta

    for path, data in found.items():
        if not path.startswith("assignments/") or not path.endswith(".ipynb"):
            continue
        for cell in nbformat.reads(data.decode("utf-8"), as_version=4).cells:
            touched = bool(meta(cell)) and not is_untouched(cell)
            if touched or any(mark in cell.source for mark in MARKS):
                name = meta(cell).get("grade_id", "a cell")
                line = f"{path} is not as released ({name}); run ./course release first"
                raise CommandError(line)


def make(root: Path, target: Path, as_zip: bool) -> str:
    """Write the hand-out; return a sentence about it."""
    if as_zip and target.suffix != ".zip":
        target = target.with_name(target.name + ".zip")
    require_free(target, as_zip)
    found = contents(root)
    require_unanswered(found)
    version = edition.version_of(found["pyproject.toml"])
    made = edition.of(found, version, edition.date_of(root))
    found[edition.RECORD] = made.as_json().encode()
    target.parent.mkdir(parents=True, exist_ok=True)
    with draft_beside(target) as draft:
        if as_zip:
            write_zip(found, draft / target.name, target.stem)
            os.replace(draft / target.name, target)
        else:
            write_folder(found, draft / "made")
            with contextlib.suppress(FileNotFoundError):
                target.rmdir()  # empty, as was seen; some systems rename onto nothing
            os.replace(draft / "made", target)
    megabytes = sum(map(len, found.values())) / 1e6
    line = f"{target}: edition {made.name}, {len(found)} files, {megabytes:.1f} MB"
    return "\n".join([line, *unknown_to_git(root)])


def unknown_to_git(root: Path) -> list[str]:
    """A line about files that look as if they were to be handed out, but were not."""
    arguments = ("ls-files", "-z", "--others", "--exclude-standard")
    names = (
        edition.git(root, *arguments).split("\0") if (root / ".git").exists() else []
    )
    known = {*edition.brought(root)}
    named = [name for name in names if is_for_students(name) and name not in known]
    more = ", …" if len(named) > 3 else ""
    return [f"not in git, so not in it: {', '.join(named[:3])}{more}"] if named else []


def require_free(target: Path, as_zip: bool) -> None:
    if not as_zip and target.is_dir() and not any(target.iterdir()):
        return
    if os.path.lexists(target):
        kind = "is there already" if as_zip or not target.is_dir() else "is not empty"
        raise CommandError(f"{target} {kind}; choose another place", code=2)


@contextlib.contextmanager
def draft_beside(target: Path) -> Iterator[Path]:
    """A folder for unfinished work on the same disk, gone at the end."""
    draft = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def write_folder(found: Mapping[str, bytes], folder: Path) -> None:
    for path, data in sorted(found.items()):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        place.chmod(mode_of(path))
    for place in (folder, *filter(Path.is_dir, folder.rglob("*"))):
        place.chmod(0o755)


def write_zip(found: Mapping[str, bytes], file: Path, top: str) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in sorted(found.items()):
            entry = zipfile.ZipInfo(f"{top}/{path}", EPOCH)
            entry.create_system = 3  # Unix, wherever it is made: the modes count
            entry.external_attr = (0o100000 | mode_of(path)) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    file.chmod(0o644)


def mode_of(path: str) -> int:
    return 0o755 if path == LAUNCHER else 0o644
