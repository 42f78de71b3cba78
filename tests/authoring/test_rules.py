"""Rules of a lecture: answers are folded, exercises have stars, check and solution."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_lib.check import PREDICTED
from course_tools.authoring import rules
from course_tools.authoring.tidy import normalise


def text(source: str, name: str):
    return new_markdown_cell(source, id=name)


def printed(source: str, name: str, *tags: str, first: str = PREDICTED):
    outputs = [new_output("stream", name="stdout", text=f"{first}\n42\n")]
    metadata = {"tags": list(tags)} if tags else {}
    return new_code_cell(source, id=name, outputs=outputs, metadata=metadata)


QUESTION = text("How much?\n\n> **Predict first.** Is it 42?", "question")


def stored(*cells):
    return normalise(new_notebook(cells=list(cells)))


def test_the_answer_to_a_prediction_is_folded():
    nb = stored(QUESTION, new_code_cell("x = 6"), printed("x * 7", "answer", "predict"))
    answer = nb.cells[2].metadata
    assert answer == {
        "tags": ["predict"],
        "jupyter": {"outputs_hidden": True},
        "collapsed": True,
    }
    assert rules.predictions(nb) == []


def test_an_open_answer_is_found():
    nb = stored(QUESTION, printed("x * 7", "answer"))
    assert rules.predictions(nb) == [
        "answer: tag it `predict`, as the answer of question"
    ]
    nb = new_notebook(cells=[QUESTION, printed("x * 7", "answer", "predict")])
    assert len(rules.predictions(nb)) == 1  # tagged, but not tidied
    (complaint,) = rules.predictions(
        stored(printed("7", "before", "predict"), QUESTION)
    )
    assert "nothing below answers" in complaint


def test_a_folded_output_must_not_begin_with_the_answer():
    """JupyterLab would show it, or the description of a figure."""
    text_first = printed("42", "text", "predict", first="41")
    figure_first = printed("42", "figure", "predict")
    picture = new_output("display_data", data={"image/png": "", "text/plain": "42"})
    figure_first.outputs.insert(0, picture)
    assert rules.predictions(stored(QUESTION, text_first, figure_first)) == [
        "text: its first line has to be predicted()",
        "figure: its first line has to be predicted()",
    ]


def test_an_output_that_is_no_answer_is_unfolded():
    nb = stored(printed("1", "answer", "predict", "C3"))
    nb.cells[0].metadata["tags"] = ["C3"]
    assert normalise(nb).cells[0].metadata == {"tags": ["C3"]}


def test_a_page_that_explains_the_convention_asks_nothing():
    assert rules.predictions(stored(text("**Predict first.** Guess.", "how"))) == []


IMPORT = "from course_lib.exercises import simple_rnn as exercises"


def lecture(changed: str = "", into: str = ""):
    """A made lecture that has the exercises of lecture 02, with one thing changed."""
    cells = [new_code_cell(IMPORT)]
    for number, stars in enumerate(("★", "★", "★★", "★", "★★★"), start=1):
        cells.append(text(f"**Exercise {number} {stars}** Do it.", f"text{number}"))
        cells.append(new_code_cell(f"def f(): ...\n\n\nexercises.check({number}, f)"))
        cells.append(new_code_cell(f"exercises.solution({number})"))
    for cell in cells:
        cell.source = cell.source.replace(changed, into) if changed else cell.source
    return new_notebook(cells=cells)


def test_exercises_with_stars_checks_and_solutions_are_fine():
    assert rules.exercises(lecture()) == []
    assert rules.exercises(new_notebook(cells=[text("No exercise.", "x")])) == []


@pytest.mark.parametrize(
    ("changed", "into", "complaint"),
    [
        ("**Exercise 2 ★** Do", "**Exercise 2.** Do", "text2: start with **Exercise N"),
        ("**Exercise 2 ★** Do", "## Now\n\n**Exercise 2 ★** Do", "text2: start with"),
        ("3 ★★", "3 ★★★", "exercises/simple_rnn.py has [(1, '★'), "),
        ("exercises.check(2, f)", "", "no cell says exercises.check(2…)"),
        ("exercises.solution(4)", "", "no cell says exercises.solution(4…)"),
        (IMPORT, "", "no line: from course_lib.exercises"),
        ("simple_rnn", "difference", "exercises/difference.py has no EXERCISES"),
    ],
)
def test_what_an_exercise_lacks_is_found(changed, into, complaint):
    assert any(
        found.startswith(complaint) for found in rules.exercises(lecture(changed, into))
    )


def test_exercises_at_the_end_only_are_found():
    nb = lecture()
    nb.cells = [text("Words.", f"words{n}") for n in range(17)] + nb.cells
    assert rules.exercises(nb) == [
        "all exercises stand in the second half; spread them"
    ]


def test_the_rules_can_be_asked_without_running(tmp_path, capsys):
    import nbformat

    path = tmp_path / "02_simple_rnn.ipynb"
    nbformat.write(lecture("exercises.check(2, f)", ""), path)
    assert rules.main([str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "minutes to read" in lines[0]
    assert "  to do: no cell says exercises.check(2…)" in lines
