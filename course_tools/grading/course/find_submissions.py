"""What was handed in: the folder of each student, and what else lies beside it."""

import os

from course_tools.grading.text import writable


def find(parent: str, rest: str, loose: bool) -> tuple[dict[str, str], dict[str, str]]:
    """Return {student: folder} and {name: why} of what is left out.

    `rest` leads from the folder of a student to that of the assignment. With `loose`,
    notebooks may lie in the student's folder itself.
    """
    folders, left_out = {}, {}
    for name in sorted(os.listdir(parent)):
        if name.startswith("."):
            continue
        folder, why = _choose(os.path.join(parent, name), rest, loose)
        if folder is None:
            left_out[writable(name)] = why
            continue
        folders[name] = folder
        if why:
            left_out[writable(f"{name}/{why}")] = f"{rest}/{why} was taken"
    return folders, left_out


def _choose(plain: str, rest: str, loose: bool) -> tuple[str | None, str]:
    """Return the folder to grade, or None and why not.

    With a folder, the second value names a notebook that lies there and beside it.
    What is no folder at all, but should be one, is returned as well: it gets a row,
    and reading it says what is wrong.
    """
    inner = os.path.join(plain, rest) if rest else plain
    if os.path.islink(plain) and not os.path.isfile(plain):
        return plain, ""
    if not os.path.isdir(plain):
        return None, "not the folder of a student"
    try:
        beside = notebooks(plain)
    except OSError:
        return plain, ""
    beside = beside if loose else set()
    if not os.path.lexists(inner):
        missing = "no notebook in it" if loose else f"no folder {rest} in it"
        return (plain, "") if beside else (None, missing)
    within = notebooks(inner) if beside and os.path.isdir(inner) else set()
    if beside and not within:
        return plain, ""
    return inner, min(beside & within, default="")


def notebooks(folder: str) -> set[str]:
    """Return the names of the notebooks that lie in a folder."""
    return {name for name in os.listdir(folder) if name.endswith(".ipynb")}


def why_none(parent: str, assignment: str, loose: bool) -> str:
    """Return one line for a folder in which no submission was found."""
    parent = parent.rstrip("/") or "/"
    expected = f"expected: {parent}/STUDENT/{assignment}/*.ipynb"
    if loose:
        expected += f" or {parent}/STUDENT/*.ipynb"
    if notebooks(parent):
        return f"{parent} holds notebooks, but no folder for each student; {expected}"
    return f"no submission of {assignment} in {parent}; {expected}"
