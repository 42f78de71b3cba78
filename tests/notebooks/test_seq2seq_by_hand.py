"""Encoder, decoder and beam search of lecture 07 are those of the library."""

import nbformat
import pytest
import torch
from lectures import NOTEBOOKS

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
