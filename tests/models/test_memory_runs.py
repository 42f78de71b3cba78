"""The trained memories of lecture 17: equal sizes, true readings, tables that load."""

import pytest
import torch
from torch import nn

from course_lib.check import max_difference
from course_lib.models import linear_start, minimal, pair_runs, selective
from course_lib.models.scan import loop


def size(model: nn.Module) -> int:
    return sum(p.numel() for p in model.parameters())


def test_the_linear_network_is_a_recurrence():
    generator = torch.Generator().manual_seed(0)
    nets = linear_start.new_networks((0.5, 0.9), 3, generator)
    x = torch.randn(3, 2, 13, 9, generator=generator)
    lam = torch.exp(torch.complex(-nets["nu"].exp(), nets["theta"]))
    with torch.no_grad():
        for m in range(3):
            b = nets["gamma"][m] * (x[m].to(lam.dtype) @ nets["W_x"][m].mT)
            h = loop(lam[m].expand_as(b), b)[:, -1]
            expected = (h @ nets["W_y"][m].mT).real + nets["b_y"][m]
            assert max_difference(linear_start.read(nets, x)[m], expected) < 1e-4


def test_starts_lie_in_their_ring():
    generator = torch.Generator().manual_seed(0)
    for low, high in linear_start.RADII.values():
        radius = linear_start.eigenvalues((low, high), (500,), generator).abs()
        assert radius.min() >= max(low, 1e-4) - 1e-6
        assert radius.max() <= high


def test_the_two_copiers_that_are_compared_have_equal_parameters():
    made = [
        selective.Copier(run.selective, **run.options)
        for run in list(selective.RUNS.values())[:2]
    ]
    assert abs(size(made[0]) / size(made[1]) - 1) < 0.01


def test_time_invariant_gates_do_not_see_the_input():
    x = torch.randn(2, 7, 5)
    for chooses in (True, False):
        layer = selective.GatedLayer(5, 3, chooses)
        gates = layer.gates(x)
        assert bool((gates == gates[:1, :1]).all()) is not chooses
        same = loop(gates, (1 - gates) * layer.enter(x))
        assert max_difference(layer(x), same) < 1e-5


@pytest.mark.parametrize("way", pair_runs.WAYS)
def test_orthogonal_keys_are_recalled_exactly_by_every_memory(way):
    model = pair_runs.PairMemory(way, 8, 8)
    with torch.no_grad():
        model.key.weight[:8] = torch.eye(8)
        model.free.fill_(100.0)  # sharp, open, all of the difference
        keys = torch.arange(8)[None]
        values, asked = torch.arange(8)[None], torch.tensor([[3, 1, 0, 7, 2, 4, 6, 5]])
        read = model.read_out(model.value(values.gather(1, asked)))
        assert max_difference(model(keys, values, asked), read) < 1e-4


def test_the_memories_have_equal_parameters():
    assert len({size(pair_runs.PairMemory(way)) for way in pair_runs.WAYS}) == 1


@pytest.mark.parametrize("kind", ["minGRU", "minLSTM", minimal.SEEING])
def test_minimal_units_carry_their_state_from_window_to_window(kind):
    torch.manual_seed(0)
    model = minimal.LetterModel(kind, 11, 7)
    letters = torch.randint(11, (3, 23))
    whole, _ = model(letters)
    first, state = model(letters[:, :9])
    second, _ = model(letters[:, 9:], state)
    assert max_difference(torch.cat([first, second], dim=1), whole) < 1e-5


def test_a_gate_that_sees_nothing_of_the_state_is_the_min_gru():
    torch.manual_seed(0)
    plain, seeing = (minimal.MinimalLayer(5, k) for k in ("minGRU", minimal.SEEING))
    seeing.load_state_dict(plain.state_dict(), strict=False)
    assert seeing.look is not None
    nn.init.zeros_(seeing.look.weight)
    x, h_0 = torch.randn(2, 7, 5), torch.randn(2, 5)
    for got, expected in zip(seeing(x, h_0), plain(x, h_0), strict=True):
        assert max_difference(got, expected) < 1e-6


def test_letter_models_have_equal_parameters():
    sizes = [size(minimal.make(kind, 78)) for kind in (*minimal.WIDTH, minimal.LONGER)]
    assert max(sizes) < 1.02 * min(sizes)  # torch has two biases


def test_spread_gates_have_half_lives_from_one_step_to_hundreds():
    layer = selective.GatedLayer(5, 52, selective=False)
    layer.spread()
    keep = layer.bias.sigmoid()
    assert max_difference(keep[[0, -1]], torch.tensor([0.5, 0.997])) < 1e-5


def test_stored_tables_hold_every_seed():
    runs = {(row.run, row.seed) for row in selective.stored()}
    for name in list(selective.RUNS)[:2]:
        assert {seed for run, seed in runs if run == name} == set(selective.SEEDS)
    rows = [
        r for r in pair_runs.stored() if (r.task, r.d_k, r.d_v) == ("new keys", 16, 16)
    ]
    assert {(r.way, r.seed) for r in rows} == {
        (way, seed) for way in pair_runs.WAYS for seed in pair_runs.SEEDS
    }
