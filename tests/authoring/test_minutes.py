"""Words, lines and minutes of a lecture are counted as CONTRIBUTING.md says."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_tools.authoring import minutes
from course_tools.authoring.minutes import Reading


def notebook(*markdown: str, code: str = "", header: str = "# T"):
    cells = [new_markdown_cell(header), *map(new_markdown_cell, markdown)]
    return new_notebook(cells=[*cells, new_code_cell(code)])


@pytest.mark.parametrize(
    ("text", "plain", "mathematical"),
    [
        ("Five plain words stand here.", 5, 0),
        ("Here $h_t = 1$ is a formula.", 0, 6),  # not the sign between
        ("Two words.\n\nThe state $h$ changes.", 2, 4),
        ("This is derived:\n\n$$a = b + c$$\n\nNo formula here.", 3, 6),
        ("## 3. A heading\n\n- one\n- two", 5, 0),
        ("> **Careful: this.** And that.", 4, 0),
        ("[a link](03_vanishing_gradients.ipynb) there", 3, 0),
        ("| a | $b$ |\n|---|---|\n| one | two |", 0, 4),
        ("seen <details><summary>Hint</summary>not $seen$ here</details>", 1, 0),
        ("read\n\n**References**\n\n- not read\n\nnot $x$ either", 1, 0),
        ("**Time** 20 minutes to read", 0, 0),
        ("press <kbd>Shift</kbd> now", 3, 0),
    ],
)
def test_words_are_plain_or_mathematical(text, plain, mathematical):
    assert minutes.words(text) == (plain, mathematical)


def test_exercises_are_extra_and_blank_lines_do_not_count():
    nb = notebook(
        "Two words.", "**Exercise 3 ★** not counted", code="a = 1\n\n  \nb = 2"
    )
    nb.cells.append(new_code_cell("def f(): ...\n\n\nexercises.check(3, f)"))
    nb.cells.append(new_code_cell("exercises.solution(3)"))
    assert minutes.reading(nb) == Reading(plain=3, mathematical=0, lines=2)


def test_minutes_are_rounded_up():
    assert Reading(plain=150, mathematical=100, lines=20).minutes == 3
    assert Reading(plain=151, mathematical=100, lines=20).minutes == 4
    assert Reading(plain=75, mathematical=50, lines=0).minutes == 1


HEADER = "# T\n\n**Time** exercises extra. About 40 seconds to run.\n\nMore."


def test_the_header_is_written_and_then_true():
    nb = notebook("Words " * 299, "With $x$ " * 200, code="x = 1\n" * 37, header=HEADER)
    assert minutes.complaints(nb, "02_simple_rnn")
    minutes.write_header(nb)
    line = (
        "**Time** 8 minutes to read (701 words, 400 of them mathematical, 37 lines of "
        "code), exercises extra. About 40 seconds to run."
    )
    assert nb.cells[0].source == f"# T\n\n{line}\n\nMore."
    assert minutes.complaints(nb, "02_simple_rnn") == []
    minutes.write_header(nb)
    assert nb.cells[0].source == f"# T\n\n{line}\n\nMore."


@pytest.mark.parametrize("lie", [("8 min", "7 min"), ("701", "700"), ("37 l", "36 l")])
def test_a_header_that_lies_is_found(lie):
    nb = notebook("Words " * 299, "With $x$ " * 200, code="x = 1\n" * 37, header=HEADER)
    minutes.write_header(nb)
    nb.cells[0].source = nb.cells[0].source.replace(*lie)
    (complaint,) = minutes.complaints(nb, "02_simple_rnn")
    assert "8 minutes to read (701 words" in complaint


def test_an_old_header_is_left_alone():
    nb = notebook("Words", header="# T\n\n**Time** about 90 minutes to read.")
    minutes.write_header(nb)
    assert nb.cells[0].source.endswith("about 90 minutes to read.")


def test_the_limit_is_for_plain_numbers():
    nb = notebook("Words " * 150 * 80, header="# T\n\n**Time** exercises extra.")
    minutes.write_header(nb)
    assert minutes.complaints(nb, "04_lstm") == ["81 minutes; a lecture has 80"]
    for companion in ("04_lstm".replace("04", "04b"), "A_ledger"):
        assert minutes.complaints(nb, companion) == []
