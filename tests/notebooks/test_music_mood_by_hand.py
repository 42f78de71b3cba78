"""What companion 06c says of tunes and reviews and has no cell for, counted here."""

import nbformat
import numpy as np
import pytest
from lectures import NOTEBOOKS

from course_lib.data import abc
from course_lib.models.ngrams import KneserNey, NGrams


@pytest.fixture(scope="module")
def page() -> dict:
    """The tunes and the reviews, made by the cells of the page."""
    nb = nbformat.read(NOTEBOOKS / "06c_music_mood_weather.ipynb", as_version=4)
    names: dict = {}
    for cell in nb.cells:
        if cell.id in ("setup", "tunes-data", "mood-data"):
            exec(cell.source, names)
    return names


def test_most_runs_of_eight_tokens_stand_in_the_book_once(page):
    rows = np.lib.stride_tricks.sliding_window_view(page["jig_tokens"].numpy(), 8)
    _, times = np.unique(rows, axis=0, return_counts=True)
    assert np.mean(times == 1) == pytest.approx(0.78, abs=0.01)


def test_three_tokens_without_the_place(page):
    told_nothing = KneserNey(NGrams(page["jig_tokens"].numpy(), 3, len(page["notes"])))
    cost = told_nothing.losses(page["unheard"].numpy())[-1].mean()
    assert np.exp(cost) == pytest.approx(8.7, abs=0.06)


def test_a_line_after_five_eighths_ends_a_part(page):
    tokens = [page["notes"][i] for i in page["unheard"]]
    eighths, next_after_five = None, []
    for token, after in zip(tokens, tokens[1:], strict=False):
        if token == "|":
            eighths = 0
        elif eighths is not None:
            long = abc.length(token)
            eighths = None if long is None else eighths + long
        if eighths == 5:
            next_after_five.append(after)
    lines = [token for token in next_after_five if token in abc.BARS]
    assert len(lines) / len(next_after_five) == pytest.approx(0.11, abs=0.01)
    assert np.mean([token != "|" for token in lines]) > 0.9


def test_no_new_review_was_trained_on(page):
    reviews, trained = page["reviews"], 4 * 280
    assert len(reviews) == 1600
    assert not set(reviews[:trained]) & set(reviews[trained:])


def test_the_reader_of_first_clause_and_connecting_word(page):
    """It says the opposite after *but*: right where the clauses disagree."""
    kind_of = dict(part for pair in page["couples"] for part in pair)
    new = slice(4 * 280, None)
    right = []
    for review, is_kind in zip(page["reviews"][new], page["label"][new], strict=True):
        turned = " but " in review
        first = review.split(" but " if turned else " although ")[0]
        right.append((kind_of[first] != turned) == bool(is_kind))
    torn = page["mixed"][new]
    assert np.mean(np.array(right)[torn]) == 1
    assert np.mean(right) == pytest.approx(0.73, abs=0.005)
