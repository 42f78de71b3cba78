"""Interactive parts of a lecture as frames, drawn by running the lecture once.

The lecture runs up to its last interactive part in a kernel of its own, where `explore`
finds the folder to draw into. Frames are kept in .cache/book under a hash of that code
and of all modules of the course that it imports.
"""

import ast
import hashlib
import html
import itertools
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from course_lib.show.frames import FOLDER, MOST_FRAMES
from course_tools.book import computed
from course_tools.book.cells import EXPLORE
from course_tools.book.contents import read
from course_tools.book.controls import control_html
from course_tools.errors import CommandError
from course_tools.words import number_of

SECONDS = 1200  # for one cell, on a slow machine


def code_with_parts(nb: NotebookNode) -> list[NotebookNode]:
    """The code cells up to the last interactive part; none if there is no such part.

    A part that computes in the reader's browser needs no pictures.
    """
    cells = [cell for cell in nb.cells if cell.cell_type == "code"]
    cells = [c for c in cells if not (_explores(c) and computed.part_of(c.source))]
    last = max((n for n, c in enumerate(cells) if _explores(c)), default=-1)
    return cells[: last + 1]


def _explores(cell: NotebookNode) -> bool:
    return bool(EXPLORE.search(cell.source))


def imported_files(source: str, root: Path, known: set[Path]) -> set[Path]:
    """The files of course_lib that some code imports, and those that they import."""
    for name in imported_names(source):
        stem = root.joinpath(*name.split("."))
        for path in (stem.with_suffix(".py"), stem / "__init__.py"):
            if path.is_file() and path not in known:
                known.add(path)
                imported_files(path.read_text(encoding="utf-8"), root, known)
    return known


def imported_names(source: str) -> Iterator[str]:
    """Modules of course_lib that are named in import statements."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("course_lib"))
        module = getattr(node, "module", None) or ""
        if isinstance(node, ast.ImportFrom) and module.startswith("course_lib"):
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def digest(cells: list[NotebookNode], root: Path, most: int) -> str:
    source = "\n".join(c.source for c in cells if not c.source.startswith("%"))
    digest = hashlib.sha256(f"{most}\n{source}".encode())
    for path in sorted(imported_files(source, root, set())):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def draw_frames(
    path: Path, root: Path, cache: Path, most: int, begin: Callable[[], None]
) -> Path | None:
    """The folder with the frames of a lecture, drawn if they are not there yet.

    `begin` is called before the lecture runs.
    """
    nb = read(path)
    cells = code_with_parts(nb)
    if not cells:
        return None
    folder = cache / f"{path.stem}-frames-{digest(cells, root, most)}"
    if (folder / "done").exists():
        return folder
    begin()
    for old in cache.glob(f"{path.stem}-frames-*"):
        shutil.rmtree(old)
    folder.mkdir(parents=True)
    nb.cells = cells
    environment = {**os.environ, FOLDER: str(folder), MOST_FRAMES: str(most)}
    client = NotebookClient(
        nb,
        timeout=SECONDS,
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute(env=environment, stderr=subprocess.DEVNULL)
    except CellExecutionError as error:
        why = f"{error.ename}: {error.evalue}"
        raise CommandError(f"{path.name} stops while it runs: {why}") from error
    there, wanted = len(parts(folder)), sum(map(_explores, cells))
    if there != wanted:
        raise CommandError(
            f"{path.name} shows {number_of(wanted, 'interactive part')}, drew {there}"
        )
    (folder / "done").touch()
    return folder


def drawn_so_far(name: str, cache: Path) -> int:
    """How many frames of a lecture are there."""
    return len(list(cache.glob(f"{name}-frames-*/part-*/*.webp")))


def parts(folder: Path | None) -> list[Path]:
    """The folders of the interactive parts, in their order."""
    if folder is None:
        return []
    return sorted(folder.glob("part-*"), key=lambda path: int(path.name[5:]))


def told_apart(table: dict[str, Any]) -> list[str]:
    """A description for each frame; where two are alike, all name their state."""
    said = table["descriptions"]
    if len(set(said)) == len(said):
        return said
    labels = [control["label"] for control in table["controls"]]
    states = itertools.product(*(control["options"] for control in table["controls"]))
    named = [
        ", ".join(
            f"{label} {value}" for label, value in zip(labels, state, strict=True)
        )
        for state in states
    ]
    return [f"{text} ({state})" for text, state in zip(said, named, strict=True)]


def explorer(part: Path, address: str) -> str:
    """The interactive part on the page; `address` is where its frames lie there."""
    table = json.loads((part / "frames.json").read_text(encoding="utf-8"))
    number = 0
    for control in table["controls"]:
        number = number * len(control["options"]) + control["start"]
    controls = "\n".join(map(control_html, table["controls"]))
    descriptions = told_apart(table)
    description = html.escape(descriptions[number], quote=True)
    width, height = table["size"]
    frames = {
        "folder": f"{address}/",
        "files": table["files"],
        "descriptions": descriptions,
    }
    data = json.dumps(frames).replace("</", "<\\/")
    return f"""<div class="explorer" role="group" aria-label="Interactive part">
{controls}
<img src="{address}/{table["files"][number]}" alt="{description}" width="{width}"
     height="{height}" loading="lazy">
<p class="said unseen" aria-live="polite"></p>
<script type="application/json">{data}</script>
</div>"""
