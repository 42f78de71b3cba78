"""The modules of lecture 08 and those of the library are the same model."""

import nbformat
import pytest
import torch
from lectures import NOTEBOOKS
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_lib.data.vocabulary import EOS, PAD, lengths, padded
from course_lib.models.additive import AttentionSeq2Seq
from course_lib.models.losses import masked_cross_entropy, shifted
from course_lib.models.seq2seq import remembering
from course_lib.search import greedy

SOURCE = padded([[3, 4, 5, EOS], [6, EOS], [7, 8, 9, 10, 3, EOS]])
TARGET = padded([[3, 12, EOS], [4, 5, 6, 7, EOS], [EOS]])


@pytest.fixture(scope="module")
def page() -> dict:
    """What these cells of the lecture define, run without the rest of it."""
    nb = nbformat.read(NOTEBOOKS / "08_attention.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    names: dict = {"torch": torch, "nn": nn, "PAD": PAD, "lengths": lengths}
    names |= {"pack_padded_sequence": pack_padded_sequence, "shifted": shifted}
    names |= {"pad_packed_sequence": pad_packed_sequence, "remembering": remembering}
    names["masked_cross_entropy"] = masked_cross_entropy
    for cell in ("encoder", "decoder", "translator"):
        exec(source[cell], names)
    return names


@pytest.mark.parametrize("two_way", [False, True])
@pytest.mark.parametrize("added", [False, True])
def test_the_translator_of_the_page_is_the_librarys(page, two_way, added):
    """With the same seed both start from the same weights."""
    made = []
    for model in (page["Translator"], AttentionSeq2Seq):
        torch.manual_seed(5)
        made.append(model(11, 13, 5, 14, two_way, added).double())
    hand, library = made
    for a, b in zip(hand.parameters(), library.parameters(), strict=True):
        assert torch.equal(a, b)
    for ours, theirs in zip(hand(SOURCE, TARGET), library(SOURCE, TARGET), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(hand.loss(SOURCE, TARGET), library.loss(SOURCE, TARGET))
    with torch.no_grad():
        said = [greedy(*m.decoder(SOURCE), len(SOURCE), 7).tokens for m in made]
    assert torch.equal(*said)
