"""Tasks for memories: what is drawn is what the docstrings promise."""

import pytest
import torch

from course_lib.data.memory_tasks import latest_pairs, lookup_pairs, selective_copy


def seeded() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def test_selective_copy_hides_the_message_among_blanks():
    tokens, message = selective_copy(seeded(), 11, 17, 3, symbols=5)
    assert tokens.shape == (11, 20)
    assert (tokens[:, 17:] == 6).all()
    for row, wanted in zip(tokens[:, :17], message, strict=True):
        assert row[row != 5].tolist() == wanted.tolist()
    places = {tuple((row[:17] != 5).nonzero().flatten().tolist()) for row in tokens}
    assert len(places) > 5
    with pytest.raises(ValueError, match="do not fit"):
        selective_copy(seeded(), 2, 3, 5)


def test_each_key_is_told_and_asked_once():
    keys, values, asked = lookup_pairs(seeded(), 7, 5, 13, 3)
    assert values.max() < 3
    for row, order in zip(keys, asked, strict=True):
        assert len(set(row.tolist())) == 5
        assert sorted(order.tolist()) == list(range(5))
    with pytest.raises(ValueError, match="as many different keys"):
        lookup_pairs(seeded(), 2, 14, 13, 3)


def test_asked_is_the_last_pair_with_its_key():
    keys, _, asked = latest_pairs(seeded(), 7, 23, 5, 3)
    for row, order in zip(keys.tolist(), asked.tolist(), strict=True):
        for j in order:
            assert row[j] not in row[j + 1 :]
        assert {row[j] for j in order} == set(row)
