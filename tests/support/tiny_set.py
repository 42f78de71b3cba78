"""A course folder with one small problem set, mini_maths, made for the tests."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).resolve().parents[2]


def meta(cell) -> dict:
    return cell.metadata.get("nbgrader", {})


def files_in(folder: Path) -> dict[str, bytes]:
    """All files below a folder; what JupyterLab keeps for itself does not count."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in found
        if ".ipynb_checkpoints" not in path.parts
    }


def grade_meta(grade_id, points=None, solution=False):
    fields = {"schema_version": 3, "grade_id": grade_id, "task": False}
    fields |= {"grade": points is not None, "solution": solution}
    fields["locked"] = not solution
    if points is not None:
        fields["points"] = points
    return {"nbgrader": fields}


def question(name, points, body, tests, hidden):
    """The two cells of one question: an answer and its test."""
    answer = f"def {name}(x):\n    ### BEGIN SOLUTION\n    {body}\n    ### END SOLUTION"
    test = f"{tests}\n### BEGIN HIDDEN TESTS\n{hidden}\n### END HIDDEN TESTS"
    if name == "halve":  # partial credit: a number as the last expression
        test += "\nprint('the second half is off'), float(2 * halve(4))\nhalve(4) * 1.0"
    return [
        new_code_cell(answer, metadata=grade_meta(f"answer_{name}", solution=True)),
        new_code_cell(test, metadata=grade_meta(name, points)),
    ]


def make_course(folder: Path) -> Path:
    """Three autograded questions and one essay, unreleased; returns the folder."""
    cells = [new_markdown_cell("# A small set")]
    tests = "assert double(3) == 6, 'two times three is six'"
    cells += question("double", 5, "return 2 * x", tests, "assert double(7) == 14")
    cells += question("square", 3, "return x * x", "assert square(3) == 9", "pass")
    cells += question("halve", 2, "return x / 2", "halve(0)", "halve(2)")
    essay = grade_meta("essay", 4, solution=True)
    cells.append(new_markdown_cell("Because.", metadata=essay))
    place = folder / "solutions" / "mini_maths"
    place.mkdir(parents=True)
    book = new_notebook(cells=cells)
    for number, cell in enumerate(book.cells):
        cell.id = f"cell-{number}"
    nbformat.write(book, place / "mini_maths.ipynb")
    (place / "data.txt").write_text("7\n")
    config = (ROOT / "nbgrader_config.py").read_text()
    (folder / "nbgrader_config.py").write_text(config)
    return folder


def student_notebook(course) -> Path:
    return course / "assignments" / "mini_maths" / "mini_maths.ipynb"


def answer(course, **answers):
    """Write code into the cells of the released notebook, as a student would."""
    path = student_notebook(course)
    book = nbformat.read(path, as_version=4)
    for cell in book.cells:
        name = meta(cell).get("grade_id")
        cell.source = answers.get(name, cell.source)
    nbformat.write(book, path)
