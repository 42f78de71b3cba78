"""What of a lecture stands on its slides."""

import re

import pytest
from nbformat import v4

from course_tools.book.cells import PageParts, cell_html
from course_tools.book.slides import (
    LARGE,
    SMALL,
    beginning,
    blocks_of,
    fitting,
    kind_of,
    scrolling,
    slides_of,
)


@pytest.fixture
def page(tmp_path):
    return PageParts("made", tmp_path, lambda address: address)


def test_a_cell_falls_into_blocks():
    source = (
        "## One\nText of $x$.\nMore.\n$$\na\n\nb\n$$\n- p\n- q\n\n> **Careful.** So.\n"
    )
    kinds = [kind_of(block) for block in blocks_of(source)]
    assert kinds == ["heading", "prose", "formula", "list", "box"]


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        ("One. Two.", "One. Two."),
        ("One. " + "long " * 60 + "end.", "One."),
        ("It is $0.5$ and `a.b` here. " + "x" * 300, "It is $0.5$ and `a.b` here."),
        ("**Bold. " + "y" * 300 + ".**", "**Bold.**"),
        ("No end", "No end"),
    ],
)
def test_a_paragraph_begins_with_whole_sentences(paragraph, expected):
    assert beginning(paragraph) == expected


def test_prose_goes_to_the_notes_and_solutions_stay_away(page):
    long = "Short start. " + "and on " * 60 + "it goes."
    cells = [
        v4.new_markdown_cell(f"## Heading\n\n{long}"),
        v4.new_code_cell("import numpy as np"),
        v4.new_code_cell("exercises.solution(1)"),
        v4.new_code_cell("x = 1"),
    ]
    slides = slides_of(cells, page)
    assert [slide.kind for slide in slides] == ["text", "code"]
    assert slides[0].blocks == ["<p>Short start.</p>\n"]
    assert "it goes." in slides[0].notes[0]


def test_the_minutes_to_read_stand_in_the_notes_alone(page):
    title = "# 9 · Name\n\nBegin here.\n\n**Time** 50 minutes to read."
    (slide,) = slides_of([v4.new_markdown_cell(title)], page)
    assert slide.blocks == ["<p>Begin here.</p>\n"]
    assert "50 minutes" in slide.notes[0]


def test_few_words_stand_above_what_they_speak_of(page):
    printed = v4.new_output("stream", text="7\n")
    cells = [
        v4.new_markdown_cell("## Heading\n\nThe result."),
        v4.new_code_cell("print(7)", outputs=[printed]),
    ]
    (slide,) = slides_of(cells, page)
    assert slide.kind == "printed"
    assert "The result." in slide.blocks[0]
    assert "7" in slide.blocks[1]


def test_a_short_comment_stands_below_what_was_printed(page):
    printed = v4.new_output("stream", text="7\n")
    long = v4.new_output("stream", text="7\n" * 20)
    cells = [
        v4.new_markdown_cell("## Heading"),
        v4.new_code_cell("print(7)", outputs=[printed]),
        v4.new_markdown_cell("Seven, as it had to be."),
        v4.new_markdown_cell("## Next"),
        v4.new_code_cell("print(8)", outputs=[printed]),
        v4.new_markdown_cell("**Exercise 1** Why?"),
        v4.new_code_cell("print(9)", outputs=[long]),
        v4.new_markdown_cell("No room for this."),
    ]
    slides = slides_of(cells, page)
    kinds = [slide.kind for slide in slides]
    assert kinds == ["printed", "printed", "text", "printed", "text"]
    with_comment = slides[0].markup()
    assert with_comment.index("7") < with_comment.index("as it had to be")
    assert with_comment.index("as it had to be") < with_comment.index("<details>")
    assert "Why" not in slides[1].markup()


def test_only_the_first_cell_of_a_lecture_prepares(page):
    printed = v4.new_output("stream", text="7\n")
    cells = [
        v4.new_markdown_cell("## Heading"),
        v4.new_code_cell("import numpy"),
        v4.new_code_cell("import sympy\n\nprint(7)", outputs=[printed]),
    ]
    (slide,) = slides_of(cells, page)
    assert "sympy" in slide.markup()
    page.begun = False
    first, second = (cell_html(cell, page) for cell in cells[1:])
    assert "What this page imports" in first
    assert "What this page imports" not in second


def test_formulas_in_notes_need_no_sheet(page):
    long = "Start with $h_t$ here. " + "and on " * 60 + "to $x^2$, the end."
    (slide,) = slides_of([v4.new_markdown_cell(f"## Heading\n\n{long}")], page)
    shown, _, notes = slide.markup().partition('<aside class="notes">')
    assert shown.count("katex-html") == shown.count("<math") == 1
    assert notes.count("<math") == 2
    assert "katex-html" not in notes
    assert notes.count("<span") == notes.count("</span>")
    assert notes.count("the end.") == 1


def test_a_prediction_and_its_answer_are_two_slides(page):
    printed = v4.new_output("stream", text="7\n")
    for tags, count in (([], 1), (["predict"], 2)):
        cells = [
            v4.new_markdown_cell("## Heading\n\n> **Predict first.** Odd?"),
            v4.new_code_cell("7", metadata={"tags": tags}, outputs=[printed]),
        ]
        assert len(slides_of(cells, page)) == count


@pytest.mark.parametrize(("height", "scrolls"), [(400, False), (2000, True)])
def test_a_tall_figure_keeps_its_width_and_scrolls(height, scrolls):
    markup = f'<figure><img src="a.png" alt="b" width="640" height="{height}"></figure>'
    assert ('class="tall" tabindex="0"' in scrolling(markup)) is scrolls


def test_a_star_of_a_formula_opens_nothing():
    paragraph = "It is $y^*$ and `a * b`. " + "x" * 300
    assert beginning(paragraph) == "It is $y^*$ and `a * b`."


def test_a_sentence_is_not_cut_at_its_colon():
    paragraph = "One way: this one, " + "and on " * 40 + "to the end."
    assert beginning(paragraph) == paragraph
    assert beginning("So we find:") == "So we find:"


def test_the_number_of_a_heading_is_part_of_it(page):
    (slide,) = slides_of([v4.new_markdown_cell("## 10. In $x$\n\nText.")], page)
    assert slide.heading.startswith("10. In <span")


def test_a_list_begins_a_block_of_its_own():
    kinds = [kind_of(block) for block in blocks_of("**After this**\n- a\n- b\n")]
    assert kinds == ["prose", "list"]


def test_what_is_to_be_done_is_shown_and_references_stay_on_the_page(page):
    output = v4.new_output("stream", text="Exercise 1: not attempted yet\n")
    stub = "def f(x): ...\n\n\nexercises.check(1, f)"
    cells = [
        v4.new_markdown_cell("## Heading\n\n**Exercise 1** Write it."),
        v4.new_code_cell(stub, outputs=[output]),
        v4.new_markdown_cell("## Recap\n\nAll.\n\n**References**\n\n- A book."),
    ]
    exercise, recap = slides_of(cells, page)
    assert "Write it." in exercise.markup()
    assert "exercises" in exercise.markup()
    assert "not attempted" not in exercise.markup()
    assert "A book" not in recap.markup()


def test_long_code_has_smaller_letters_but_never_too_small():
    code = [f"<pre><code>{'x' * 40}" + "\nx = 1" * rows for rows in (2, 22, 60)]
    marked = [fitting(f"{text}</code></pre>") for text in code]
    sizes = [float(re.findall(r"font-size: ([\d.]+)px", text)[0]) for text in marked]
    assert sizes[0] == LARGE
    assert LARGE > sizes[1] > SMALL
    assert sizes[2] == SMALL
