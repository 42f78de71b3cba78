"""Readers of a prompt: sizes, the lean start, and what the stored sweep says."""

import numpy as np
import pytest
import torch

from course_lib.check import max_difference
from course_lib.data.fruit_pages import COLOUR, FLAVOUR, page
from course_lib.models import lookup
from course_lib.seeds import set_seed


@pytest.fixture
def reader() -> lookup.Reader:
    set_seed(0)
    return lookup.reader().eval()


def words(seed: int = 0) -> list[str]:
    return page(np.random.default_rng(seed), FLAVOUR).words


def test_the_lean_start_looks_one_back_and_like_attends_to_like(reader):
    set_seed(0)
    before = [
        np.diagonal(lookup.looked(model, words())[0][0], offset=-1).mean()
        for model in (reader, lookup.reader(lean=False))
    ]
    assert before[0] > before[1] + 0.2
    for block in reader.blocks:
        assert torch.equal(block.attend.W_q, block.attend.W_k)
        assert torch.equal(block.attend.W_o, block.attend.W_v.T)


def test_weights_are_causal_and_add_up_to_one(reader):
    for weights in lookup.looked(reader, words()):
        assert max_difference(weights.sum(axis=-1), np.ones(weights.shape[:2])) < 1e-5
        assert np.triu(weights, k=1).max() == 0


def test_later_words_change_nothing_and_there_is_no_table_of_positions(reader):
    tokens = torch.randint(3, 40, (2, 11))
    with torch.no_grad():
        before = reader(tokens)
        tokens[:, 7] = (tokens[:, 7] + 1) % 40
        after = reader(tokens)
    assert max_difference(before[:, :7], after[:, :7]) == 0
    assert max_difference(before[:, 7:], after[:, 7:]) > 1e-3
    assert "position.weight" not in reader.state_dict()


def test_one_layer_with_a_wider_network_has_as_many_parameters():
    two, one = lookup.reader(layers=2), lookup.reader(layers=1, d_ff=292)
    sizes = [sum(p.numel() for p in model.parameters()) for model in (two, one)]
    assert max(sizes) < 1.01 * min(sizes)


def test_a_silent_head_adds_nothing(reader):
    silent = lookup.silent(lookup.silent(reader, 0, 0), 0, 1)
    x = torch.randn(1, 5, lookup.WIDTH)
    with torch.no_grad():
        added = silent.blocks[0].attend(x).output
    assert max_difference(added, silent.blocks[0].attend.b_o.expand(1, 5, -1)) < 1e-6
    assert not torch.equal(silent.blocks[0].attend.W_o, reader.blocks[0].attend.W_o)


def test_a_head_can_be_silent_at_some_words_only(reader):
    tokens = torch.tensor([[lookup.WORDS.ids[word] for word in words()]])
    everywhere = list(lookup.WORDS.ids)
    with torch.no_grad():
        silent = lookup.silent(reader, 0, 1)(tokens)
        assert max_difference(silent, reader(tokens)) > 1e-3
        at_all = lookup.silent_at(reader, 0, 1, everywhere)
        assert max_difference(at_all(tokens), silent) < 1e-6
        at_none = lookup.silent_at(reader, 0, 1, everywhere, elsewhere=True)
        assert max_difference(at_none(tokens), reader(tokens)) < 1e-6
        first = 4
        assert words().index(words()[first]) == first
        some = lookup.silent_at(reader, 0, 1, [words()[first]])(tokens)
        assert max_difference(some[:, :first], reader(tokens)[:, :first]) < 1e-6
        assert max_difference(some[:, first:], reader(tokens)[:, first:]) > 1e-4


def test_what_is_gathered_after_a_fruit_is_a_share_of_each_head(reader):
    found = lookup.gathered(reader, COLOUR, count=5)
    assert found.shape == (2, 2)
    assert found.min() >= 0
    assert found.sum(axis=1).max() <= 1
    assert found[0, 0] > found[0, 1] + 0.2  # the lean start: one back


def test_the_lean_start_gives_part_of_the_previous_token_head():
    before = {}
    for lean in (True, False):
        set_seed(0)
        before[lean], found = lookup.head_weights(lookup.reader(lean=lean), count=7)
        assert 0 <= found <= 1
    assert before[False] < 0.2 < 0.3 < before[True] < 0.7


def test_an_untrained_reader_is_wrong_and_shares_have_one_entry_a_row(reader):
    shares = lookup.right(reader, COLOUR, count=30)
    assert shares.shape == (4,)
    assert shares.mean() < 0.6
    assert lookup.right(reader, COLOUR, order=[3, 1], count=11).shape == (2,)
    assert lookup.wrong_when_drawn(reader, FLAVOUR, 1.0, count=20) > 0.3


def test_training_steps_change_the_reader():
    trained = lookup.train_reader(steps=2)
    set_seed(0)
    assert not torch.equal(trained.embed.weight, lookup.reader().embed.weight)


def test_the_sweep_two_layers_succeed_and_one_layer_fails():
    runs = lookup.runs()
    names = {run.model for run in runs}
    assert len(names) == 4
    for run in runs:
        solved = min(run.colour, run.flavour) > 0.9
        assert solved == (run.model == "two layers"), run
    assert len({run.seed for run in runs}) >= 4
