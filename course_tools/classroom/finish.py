"""The last step of an update: new files take their places.  Standard library only.

A copy of this file lies in .update/ while that happens.  Should it be interrupted, the
next start of the launcher runs that copy, for what lies elsewhere may then be half old
and half new.  Each move says what it expects to replace; where something else lies by
now, it is left alone and the new file is put beside it.  Whatever is done is not done
twice, so this may be interrupted anywhere and run again.
"""

import hashlib
import json
import os
import re
import shutil
import sys
from pathlib import Path

FOLDER, MOVES, NEW = ".update", "moves.json", "new"
LAST = "edition.json"  # of the new files, the last to take its place


def digest(path: Path) -> str | None:
    """Of the bytes of a file; None if there is nothing, "" if it is no plain file."""
    if not os.path.lexists(path):
        return None
    if path.is_symlink() or not path.is_file():
        return ""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def beside(path: Path, number: int) -> Path:
    """notebooks/x.ipynb -> notebooks/x.new.ipynb, then .new2, .new3, …"""
    mark = ".new" if number == 1 else f".new{number}"
    return path.with_name(path.stem + mark + path.suffix)


def finish(update: Path) -> None:
    """Do what is still to be done in the course around `update`; then remove that."""
    try:
        moves = json.loads((update / MOVES).read_text(encoding="utf-8"))
    except FileNotFoundError:  # not begun, or done to the end
        moves = []
    for move in moves:
        take(update, move["target"], move["expected"], move["kind"])
    (update / MOVES).unlink(missing_ok=True)
    shutil.rmtree(update)


def take(update: Path, name: str, expected: str | None, kind: str) -> None:
    """One move: put a file in its place, or remove one that is no longer needed."""
    target, staged = update.parent / name, update / NEW / name
    if kind == "remove":
        if digest(target) == expected:
            target.unlink()
            remove_empty(target.parent, update.parent)
        return
    if not staged.exists():
        return
    number = 0
    place = target
    while digest(place) != expected and kind != "always":
        number += 1
        place, expected = beside(target, number), None
    place.parent.mkdir(parents=True, exist_ok=True)
    os.replace(staged, place)


def remove_empty(folder: Path, root: Path) -> None:
    """A folder of which the last file has gone goes, too."""
    while folder != root and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def new_ones(update: Path) -> list[str]:
    """The new files that are put beside a person's own, by the plan of the update."""
    try:
        moves = json.loads((update / MOVES).read_text(encoding="utf-8"))
        targets = [move["target"] for move in moves if move["kind"] != "remove"]
    except (OSError, ValueError, KeyError, TypeError):  # `finish` says what is wrong
        return []
    return [name for name in targets if re.search(r"\.new\d*$", Path(name).stem)]


def main(update: Path) -> int:
    """What the launcher runs: one line about it, and an exit code."""
    # the moves are written last: without them, and with the new files, it never began
    begun = (update / MOVES).exists() or not (update / NEW / LAST).exists()
    beside_own = new_ones(update)
    try:
        finish(update)
    except KeyboardInterrupt:
        line, code = "interrupted; the next start goes on with the update", 130
    except (OSError, ValueError, KeyError, TypeError) as error:
        line, code = f"the update cannot go on: {error}", 1
    else:
        rest = "is finished" if begun else "had changed nothing yet: give it again"
        line, code = f"The update that was interrupted {rest}.", 0
        if beside_own:
            line += " You have worked on some files; the new ones lie beside them: "
            line += ", ".join(beside_own)
    print(line, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent))
