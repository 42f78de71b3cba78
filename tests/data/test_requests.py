"""The grammar of requests: answers, what is kept back, and the mask of the answer."""

import numpy as np
import pytest

from course_lib.data import requests
from course_lib.data.requests import KNOWN, NEW, NUMBER, OPERATIONS, TOKENS, Request


@pytest.mark.parametrize(
    ("operation", "answer"),
    [
        ("reverse", "b c a"),
        ("sort", "a b c"),
        ("first", "a"),
        ("last", "b"),
        ("double", "a a c c b b"),
        ("swap", "b c a"),
        ("rotate", "c b a"),
    ],
)
def test_every_operation_by_hand(operation, answer):
    assert Request(operation, ("a", "c", "b")).answer == answer.split()


def test_all_operations_are_tried_and_no_letter_is_lost():
    assert set(OPERATIONS) == {*KNOWN, NEW}
    for request in requests.drawn(np.random.default_rng(0), 200, list(OPERATIONS)):
        assert set(request.answer) <= set(request.letters)


def test_what_is_kept_back_stands_in_no_training_text():
    rng = np.random.default_rng(0)
    for text in requests.library_text(rng, 500):
        assert text[0] == "<text>"
        assert NEW not in text
        lists = " ".join(text).replace("=", "?").split("?")
        for words in lists:
            letters = [w for w in words.split() if w in requests.LETTERS]
            starts_a_request = any(word in KNOWN for word in words.split())
            assert not (starts_a_request and requests.kept_back(letters))
    tested = requests.drawn(rng, 300, KNOWN, test=True)
    trained = requests.drawn(rng, 300, KNOWN)
    assert not {r.letters for r in tested} & {r.letters for r in trained}
    assert {len(r.letters) for r in tested} == set(requests.LENGTHS)


def test_about_one_list_in_ten_is_kept_back():
    lists = [
        (a, b, c)
        for a in requests.LETTERS
        for b in requests.LETTERS
        for c in requests.LETTERS
    ]
    share = np.mean([requests.kept_back(letters) for letters in lists])
    assert 0.06 < share < 0.14


def test_the_loss_counts_the_answer_and_its_end():
    short, long = Request("first", ("a", "b")), Request("double", ("c", "d", "e"))
    tokens = requests.rows([requests.chat(short), requests.chat(long)])
    mask = requests.is_answer(tokens)
    for row, request in zip(range(2), (short, long), strict=True):
        words = [TOKENS[int(n)] for n in tokens[row][mask[row]]]
        assert words == [*request.answer, "<end>"]
    assert tokens[0, -1] == NUMBER["<pad>"]


def test_texts_as_they_are_printed():
    request = Request("reverse", ("c", "a", "d"))
    assert " ".join(requests.worked(request)) == "<text> reverse c a d = d a c ."
    both = requests.quiz([request, Request("sort", ("b", "a"))])
    assert " ".join(both) == "<text> reverse c a d ? sort b a ?"
    said = "<user> reverse c a d <assistant> d a c <end>"
    assert " ".join(requests.chat(request)) == said
