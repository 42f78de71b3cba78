"""Formulas are set while a page is made, and a hostile one does no harm."""

import pytest

from course_tools.katex.formulas import (
    MOST_LETTERS,
    FormulaError,
    formula_or_source,
    set_formula,
)


def test_a_formula_is_set_for_the_eye_and_for_screen_readers():
    inline, display = set_formula(r"h_t = \tanh(a_t)"), set_formula("h_t", display=True)
    assert 'class="katex"' in inline
    assert "<math" in inline
    assert 'class="katex-display"' in display


def test_a_wrong_formula_is_an_error_that_says_where():
    with pytest.raises(FormulaError, match="expected '}'"):
        set_formula(r"\frac{1}")


@pytest.mark.parametrize(
    "tex",
    [
        r"\frac{1}",
        r"\href{javascript:alert(1)}{x}",
        r"\includegraphics{http://example.org/x.png}",
        r"\htmlData{x=1}{y}",
        r"\def\a{\a\a}\a",  # grows without end
        "x" * (MOST_LETTERS + 1),
        "{" * 5000,
        "<script>alert(1)</script>",
    ],
)
def test_what_cannot_or_may_not_be_set_is_shown_as_harmless_text(tex):
    shown = formula_or_source(tex)
    assert "<script" not in shown
    assert "href=" not in shown
    assert "<img" not in shown


def test_the_same_formula_is_set_once():
    assert set_formula("x^2") is set_formula("x^2")
