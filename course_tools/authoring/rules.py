"""The rules of a lecture that a program can check; CONTRIBUTING.md has all of them.

`./course tidy` prints what is left to do, and the tests insist on it for every lecture
that is not listed as still to come.
"""

import re
import sys
from importlib import import_module
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_lib.check import PREDICTED
from course_tools.authoring import minutes

PREDICT = "predict"  # tag of a cell whose output is the answer to "Predict first"
QUESTION = re.compile(r"^> \*\*Predict first", re.M)
EXERCISE = re.compile(r"\*\*Exercise (\d+) (★{1,3})\*\* \S")
MODULE = re.compile(r"^from course_lib\.exercises import (\w+) as exercises$", re.M)
CALL = re.compile(r"^\s*exercises\.(check|solution)\((\d+)\b", re.M)


def is_folded(cell: NotebookNode) -> bool:
    """Whether JupyterLab hides the cell's output until it is asked for."""
    hidden = cell.metadata.get("jupyter", {}).get("outputs_hidden", False)
    return bool(hidden and cell.metadata.get("collapsed", False))


def fold(cell: NotebookNode) -> None:
    """Hide the output of a cell tagged `predict`, and of no other one."""
    hide = cell.cell_type == "code" and PREDICT in cell.metadata.get("tags", [])
    jupyter = dict(cell.metadata.get("jupyter", {}))
    jupyter.pop("outputs_hidden", None)
    cell.metadata.pop("collapsed", None)
    if hide:
        jupyter["outputs_hidden"] = True
        cell.metadata["collapsed"] = True
    if jupyter:
        cell.metadata["jupyter"] = jupyter
    else:
        cell.metadata.pop("jupyter", None)


def shows_no_answer(cell: NotebookNode) -> bool:
    """JupyterLab shows the first line of a folded output, or a figure's description."""
    outputs = cell.get("outputs", [])
    return not outputs or outputs[0].get("text", "").startswith(PREDICTED)


def predictions(nb: NotebookNode) -> list[str]:
    """Answers that stand open right below their question."""
    wrong = []
    for number, cell in enumerate(nb.cells):
        if cell.cell_type != "markdown" or not QUESTION.search(cell.source):
            continue
        below = (c for c in nb.cells[number + 1 :] if c.get("outputs"))
        answer = next(below, None)
        if answer is None:
            wrong.append(f"{cell.id}: nothing below answers “Predict first”")
        elif PREDICT not in answer.metadata.get("tags", []) or not is_folded(answer):
            wrong.append(f"{answer.id}: tag it `{PREDICT}`, as the answer of {cell.id}")
    for cell in nb.cells:
        if is_folded(cell) and not shows_no_answer(cell):
            wrong.append(f"{cell.id}: its first line has to be predicted()")
    return wrong


def exercise_texts(nb: NotebookNode) -> tuple[list[tuple[int, int, str]], list[str]]:
    """(cell, number, stars) of every exercise, and complaints about their form."""
    texts, wrong = [], []
    for position, cell in enumerate(nb.cells):
        if cell.cell_type != "markdown" or "**Exercise " not in cell.source:
            continue
        if match := EXERCISE.match(cell.source):
            texts.append((position, int(match[1]), match[2]))
        if not match or cell.source.count("**Exercise ") > 1:
            wrong.append(
                f"{cell.id}: start with **Exercise N ★★** and hold one exercise"
            )
    return texts, wrong


def exercises(nb: NotebookNode) -> list[str]:
    """Exercises have stars, a check and a solution, and are spread."""
    texts, wrong = exercise_texts(nb)
    code = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "code")
    calls = {(word, int(number)) for word, number in CALL.findall(code)}
    module = MODULE.search(code)
    if not texts and not calls:
        return wrong
    if module is None:
        return [*wrong, "no line: from course_lib.exercises import … as exercises"]
    stored = getattr(
        import_module(f"course_lib.exercises.{module[1]}"), "EXERCISES", None
    )
    if stored is None:
        return [*wrong, f"exercises/{module[1]}.py has no EXERCISES yet"]
    stars = [(exercise.number, "★" * len(exercise.stars)) for exercise in stored]
    if [text[1:] for text in texts] != stars:
        wrong.append(f"exercises/{module[1]}.py has {stars}")
    expected = {("solution", exercise.number) for exercise in stored}
    expected |= {
        ("check", exercise.number) for exercise in stored if exercise.arguments
    }
    for word, number in sorted(expected - calls):
        wrong.append(f"no cell says exercises.{word}({number}…)")
    if len(texts) > 2 and texts[0][0] > len(nb.cells) / 2:
        wrong.append("all exercises stand in the second half; spread them")
    return wrong


def complaints(nb: NotebookNode, name: str) -> list[str]:
    """What keeps a lecture from following the rules."""
    return [*minutes.complaints(nb, name), *predictions(nb), *exercises(nb)]


def main(paths: list[str]) -> int:
    """`python -m course_tools.authoring.rules NOTEBOOK…`, without running anything."""
    for path in map(Path, paths):
        nb = nbformat.read(path, as_version=4)
        print(f"{path}: {minutes.reading(nb).header()}")
        for complaint in complaints(nb, path.stem):
            print(f"  to do: {complaint}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
