"""Words to numbers and back."""

import pytest
import torch

from course_lib.data.vocabulary import EOS, PAD, SOS, Vocabulary, lengths, trimmed

BOOK = Vocabulary(["pan", "comiendo", "estamos", "pan"])


def test_numbers_run_from_zero_to_len_minus_one_and_special_words_come_first():
    assert BOOK.tokens == ("<pad>", "<sos>", "<eos>", "comiendo", "estamos", "pan")
    assert sorted(BOOK.ids.values()) == list(range(len(BOOK)))
    assert tuple(BOOK.ids[w] for w in ("<pad>", "<sos>", "<eos>")) == (PAD, SOS, EOS)


def test_rows_are_ended_padded_and_read_back():
    sentences = [("estamos", "comiendo", "pan"), ("pan",), ()]
    rows = BOOK.rows(sentences)
    assert rows.tolist() == [
        [4, 3, 5, EOS],
        [5, EOS, PAD, PAD],
        [EOS, PAD, PAD, PAD],
    ]
    assert [BOOK.decode(row) for row in rows] == sentences
    assert lengths(rows).tolist() == [4, 2, 1]
    assert trimmed(rows[1:]).tolist() == [[5, EOS], [EOS, PAD]]


def test_decoding_stops_at_the_first_end():
    assert BOOK.decode([SOS, 4, EOS, 5, EOS]) == ("estamos",)


def test_unknown_tokens_and_numbers_are_named():
    with pytest.raises(ValueError, match="perro.*6 tokens"):
        BOOK.encode(["pan", "perro"])
    with pytest.raises(ValueError, match="6 is no token: they run 0..5"):
        BOOK.decode(torch.tensor([4, 6]))
