"""Pages about fruits: what a table says stands in its text, in no fixed place."""

import numpy as np
import pytest

from course_lib.data import fruit_pages as pages
from course_lib.data.vocabulary import PAD


@pytest.mark.parametrize(("task", "step"), [(pages.COLOUR, -1), (pages.FLAVOUR, 1)])
def test_every_row_is_what_the_text_says(task, step):
    for seed in range(40):
        page = pages.page(np.random.default_rng(seed), task, again=3)
        rows = [page.table[1 + 3 * n : 4 + 3 * n] for n in range(7)]
        for name, answer, bar in rows:
            assert page.text[page.text.index(name) + step] == answer
            assert bar == "|"
        assert sorted(page.order[:4]) == [0, 1, 2, 3]


def test_rows_ask_in_the_order_that_is_given():
    page = pages.page(np.random.default_rng(0), pages.FLAVOUR, order=[2, 0, 1])
    names = [word for word in page.text if word in pages.FRUITS]
    assert page.table[1::3] == [names[2], names[0], names[1]]


def test_neither_the_order_nor_the_length_is_fixed():
    drawn = [pages.page(np.random.default_rng(n), pages.COLOUR) for n in range(60)]
    assert len({tuple(page.order) for page in drawn}) > 15
    assert len({len(page.text) for page in drawn}) > 5


def test_answers_are_marked_and_rows_are_padded():
    drawn = [pages.page(np.random.default_rng(n), pages.COLOUR) for n in range(7)]
    tokens, answers = pages.batch(drawn)
    assert answers.sum(dim=1).tolist() == [4] * 7
    for row, marked, page in zip(tokens, answers, drawn, strict=True):
        words = [pages.WORDS.tokens[n] for n in row if n != PAD]
        assert words == page.words
        assert [pages.WORDS.tokens[n] for n in row[marked]] == page.table[2::3]
