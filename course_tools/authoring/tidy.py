"""Run a notebook and store it so that it reads well, diffs well and compares.

`./course tidy NOTEBOOK` runs every cell in a fresh kernel and keeps
outputs, execution counts 1..n, cell ids and tags. It drops what would differ on the
next machine: stderr, widgets, picture formats other than PNG, kernel details. It writes
the counted minutes into the header, folds the outputs of cells tagged `predict`, and
says which rules of a lecture are still broken.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from course_lib.train import progress
from course_tools.atomic import replacing
from course_tools.authoring import minutes, rules

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
DROPPED_TYPES = {WIDGET_VIEW, "image/svg+xml", "application/pdf", "image/jpeg"}
KEPT_CELL_METADATA = {"tags", "nbgrader", "slideshow", "jupyter"}
METADATA = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
# a folder of this machine: home folders, temporary folders, drive letters
MACHINE_PATH = re.compile(
    r"(/home|/root|/tmp|/Users|/private|[A-Z]:\\\\?Users)[/\\]\S*"
)


def clean_outputs(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Outputs without stderr, widgets, and formats other than text and PNG.

    A busy machine delivers what a cell prints in several parts; they become one.
    """
    kept: list[NotebookNode] = []
    for output in outputs:
        if output.output_type == "stream":
            if output.name == "stderr":
                continue
            if kept and kept[-1].output_type == "stream":
                kept[-1].text += output.text
                continue
        if output.output_type in ("display_data", "execute_result"):
            if WIDGET_VIEW in output.data:
                continue
            for kind in DROPPED_TYPES & set(output.data):
                del output.data[kind]
        kept.append(output)
    return kept


def stable_id(cell: NotebookNode, taken: set[str]) -> str:
    """The cell's own id if it is unique, otherwise one made from what the cell says."""
    name = cell.get("id", "")
    serial = 0
    while not name or name in taken:
        digest = hashlib.sha256(f"{serial}{cell.cell_type}{cell.source}".encode())
        name = f"cell-{digest.hexdigest()[:10]}"
        serial += 1
    taken.add(name)
    return name


def load(path: Path) -> NotebookNode:
    """The notebook with an id for every cell, the same ids every time.

    Read as plain JSON, because nbformat gives missing and repeated ids random names.
    """
    try:
        nb = nbformat.from_dict(json.loads(path.read_text(encoding="utf8")))
    except ValueError:  # not JSON, or not even text
        nb = None
    if not isinstance(nb, NotebookNode) or nb.get("nbformat") != 4:
        raise ValueError("this is not a notebook of format 4")
    nb.nbformat_minor = 5
    taken: set[str] = set()
    for cell in nb.cells:
        cell.source = "".join(cell.source)
        cell.id = stable_id(cell, taken)
    return nbformat.reads(nbformat.writes(nb), as_version=4)


def normalise(nb: NotebookNode) -> NotebookNode:
    """The same notebook, stored in the way of the course. Does not run it."""
    nb.metadata = nbformat.from_dict(METADATA)
    count = 0
    for cell in nb.cells:
        cell.metadata = nbformat.from_dict(
            {k: v for k, v in cell.metadata.items() if k in KEPT_CELL_METADATA and v}
        )
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
            rules.fold(cell)
            cell.outputs = clean_outputs(cell.outputs)
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = count
    return nb


def machine_paths(nb: NotebookNode) -> list[str]:
    """Folders of this machine that are written in the notebook's outputs."""
    paths = set()
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            data = {k: v for k, v in output.get("data", {}).items() if k != "image/png"}
            text = f"{output.get('text')} {output.get('traceback')} {data}"
            paths |= {match.group(0) for match in MACHINE_PATH.finditer(text)}
    return sorted(paths)


def run(nb: NotebookNode, folder: Path, label: str, timeout: int = 300) -> None:
    """Run all cells in a fresh kernel, in `folder`, with a progress bar per cell."""
    client = NotebookClient(
        nb,
        timeout=timeout,
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(folder)}},
    )
    environment = {**os.environ, "COURSE_QUIET": "1"}
    # a kernel that is ended may complain about its closed sockets
    with client.setup_kernel(env=environment, stderr=subprocess.DEVNULL):
        for index, cell in enumerate(progress(nb.cells, label)):
            client.execute_cell(cell, index)


def tidy(path: Path) -> NotebookNode:
    """Run the notebook at `path` and store it in place, in the way of the course.

    The file is replaced only when everything went well, so an interrupted or failing
    run loses nothing.
    """
    nb = load(path)
    run(nb, path.resolve().parent, path.name)
    minutes.write_header(nb)
    normalise(nb)
    paths = machine_paths(nb)
    if paths:
        raise ValueError(f"outputs contain paths of this machine: {', '.join(paths)}")
    with replacing(path, 0o644) as draft:
        nbformat.write(nb, draft)
    return nb


def main(argv: list[str]) -> int:
    """`./course tidy NOTEBOOK…`"""
    parser = argparse.ArgumentParser(prog="course tidy", description=tidy.__doc__)
    parser.add_argument("notebooks", nargs="+", type=Path, metavar="NOTEBOOK")
    for path in parser.parse_args(argv).notebooks:
        if not path.is_file():
            print(f"course tidy: no such notebook: {path}", file=sys.stderr)
            return 2
        try:
            nb = tidy(path)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            print(f"course tidy: {path}: a cell failed:\n{error}", file=sys.stderr)
            return 1
        except ValueError as error:
            print(f"course tidy: {path}: {error}", file=sys.stderr)
            return 1
        print(f"{path}: run and stored, {minutes.reading(nb).minutes} minutes to read")
        for complaint in rules.complaints(nb, path.stem):
            print(f"  to do: {complaint}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
