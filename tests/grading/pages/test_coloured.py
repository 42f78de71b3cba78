"""Code in colours: only what a sheet colours is marked."""

import re
from pathlib import Path

import pytest

from course_tools.coloured import STYLED, coloured

ROOT = Path(__file__).resolve().parents[3]
SHEETS = (
    "course_tools/book/assets/book.css",
    "course_tools/book/assets/slides.css",
    "course_tools/grading/pages/files/feedback.css",
)


def test_names_and_brackets_stand_as_they_are():
    made = coloured("for x in f(1): y = x < 2  # so\n")
    assert '<span class="k">for</span>' in made
    assert 'class="n"' not in made
    assert "x &lt; " in made
    assert re.sub(r"<[^>]+>", "", made) == "for x in f(1): y = x &lt; 2  # so\n"


@pytest.mark.parametrize("sheet", SHEETS)
def test_what_a_sheet_colours_is_marked(sheet):
    text = (ROOT / sheet).read_text("utf-8")
    names = set(re.findall(r"\.([a-z]{1,2}\d?)(?=[ ,{])", text))
    assert names & {"k", "c1"}
    assert names - {"to"} <= set(STYLED.split("|")) | {"js", "h1", "h2"}
