"""Encoder, decoder and beam search of lecture 07 are those of the library; and what it
says of the pairs of the thread, counted."""

from collections import Counter, defaultdict

import nbformat
import pytest
import torch
from lectures import NOTEBOOKS

from course_lib import running_task
from course_lib.data import number_words
from course_lib.data.vocabulary import PAD, SOS
from course_lib.models.seq2seq import Seq2Seq
from course_lib.search import beam_search

SOURCE = torch.tensor([[3, 4, 5, 2], [9, 2, 0, 0]])
TARGET = torch.tensor([[6, 12, 2], [7, 2, 0]])


@pytest.fixture(scope="module")
def page() -> dict:
    """What these cells of the lecture define, run without the rest of it."""
    nb = nbformat.read(NOTEBOOKS / "07_seq2seq.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    names: dict = {}
    setup = source["setup"].split("\nrng =")[0]
    reversed_class = source["reversed"].split("\n\n\n")[0]
    beam = source["beam"].split("\n\n\n")[0]
    parts = (setup, source["modules"], source["model"], reversed_class, beam)
    for part in (*parts, source["count"].split("\n\n\n")[0]):
        exec(part, names)
    return names


@pytest.mark.parametrize(
    ("kind", "reverse"), [("Translator", False), ("Backwards", True)]
)
def test_the_translator_is_the_librarys(page, kind, reverse):
    torch.manual_seed(0)
    ours = page[kind](11, 13, 5, 7)
    torch.manual_seed(0)
    library = Seq2Seq(11, 13, 5, 7, reverse=reverse)
    theirs = library.state_dict()
    renamed = {
        name.replace("read.", "encode.").replace("write.", ""): value
        for name, value in ours.state_dict().items()
    }
    assert set(renamed) == set(theirs)
    assert all(torch.equal(renamed[name], theirs[name]) for name in theirs)
    torch.testing.assert_close(ours(SOURCE, TARGET), library(SOURCE, TARGET))
    torch.testing.assert_close(ours.loss(SOURCE, TARGET), library.loss(SOURCE, TARGET))
    (step, state), (other, memory) = ours.decoder(SOURCE), library.decoder(SOURCE)
    start = torch.tensor([1, 1])
    torch.testing.assert_close(step(start, state)[0], other(start, memory)[0])


@pytest.mark.parametrize("width", [1, 2, 4, 16])
def test_the_beam_is_the_librarys(page, width):
    for seed in range(10):
        model = page["random_model"](seed)
        found, log_p = page["beam"](*model, width, 4)
        library = beam_search(*model, 1, 4, width).best
        assert found == tuple(library.tokens[0].tolist())
        assert log_p == pytest.approx(library.log_p.item())


def test_lengths_of_the_training_pairs():
    """Half as many of 13 and 14 tokens as of 5 and 6; in between about equally many."""
    lengths = running_task.load().train.source_lengths
    among = [
        int(((lengths >= low) & (lengths <= high)).sum())
        for low, high in running_task.GROUPS
    ]
    assert among[5] / among[1] == pytest.approx(0.5, abs=0.02)
    assert max(among[1:5]) / min(among[1:5]) < 1.12


def words(row: list[int]) -> list[int]:
    """The tokens without padding, two start symbols in front."""
    return [SOS, SOS, *(token for token in row if token != PAD)]


def test_two_tokens_of_french_say_as_little_about_long_sentences_as_about_short():
    """A table of what followed two tokens: 34 to 38 % in each group of lengths."""
    data = running_task.load()
    followed: dict = defaultdict(Counter)
    for row in map(words, data.train.target.tolist()):
        for *before, token in zip(row, row[1:], row[2:], strict=False):
            followed[tuple(before)][token] += 1
    likeliest = {pair: next(iter(c.most_common(1)))[0] for pair, c in followed.items()}
    tests = (data.test, running_task.GROUPS), (data.longer, running_task.LONGER_GROUPS)
    for pairs, groups in tests:
        rows = [words(row) for row in pairs.target.tolist()]
        for low, high in groups:
            right = [
                likeliest.get(tuple(before)) == token
                for row, T in zip(rows, pairs.source_lengths.tolist(), strict=True)
                if low <= T <= high
                for *before, token in zip(row, row[1:], row[2:], strict=False)
            ]
            assert 0.335 < sum(right) / len(right) < 0.385


def test_which_of_the_five_numbers_were_trained_on():
    data = running_task.load()
    width = data.train.source.shape[1]
    trained = {tuple(row) for row in data.train.source.tolist()}
    known = []
    for number in (17, 885, 4_071, 293_411, 26_596):
        row = data.english.rows([number_words.words(number, "en")])[0].tolist()
        known.append(tuple(row + [PAD] * (width - len(row))) in trained)
    assert known == [True, True, False, False, True]


def test_a_vector_of_the_same_size_carries_more_when_read_backwards():
    shares = {
        name: [
            100 * run.by_length[5]
            for run in running_task.runs()
            if run.lecture == "07" and run.model == name
        ]
        for name in ("plain LSTM", "plain LSTM, input reversed")
    }
    assert [len(each) for each in shares.values()] == [3, 3]
    means = [sum(each) / 3 for each in shares.values()]
    assert means == pytest.approx([3, 16], abs=0.5)
