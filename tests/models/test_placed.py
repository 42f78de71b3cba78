"""Five ways to tell positions: each does what its name says, cached or not."""

import pytest
import torch
from torch import nn

from course_lib import running_task
from course_lib.models.losses import shifted
from course_lib.models.placed import (
    FURTHEST,
    TABLE,
    WAYS,
    PlacedAttention,
    PlacedTransformer,
)
from course_lib.models.positions import rotated, sinusoids
from course_lib.models.transformer import Transformer

SOURCE = torch.tensor([[3, 7, 5, 2, 0], [9, 4, 3, 10, 2]])
TARGET = torch.tensor([[5, 12, 8, 3, 6, 2], [4, 4, 9, 2, 0, 0]])


def made(way: str) -> PlacedTransformer:
    """A small model whose positions have something to say."""
    torch.manual_seed(0)
    model = PlacedTransformer(11, 13, way, d_model=12, heads=3, longest=17)
    for name, parameter in model.named_parameters():
        if name.endswith(("positions", "attend.bias")):
            nn.init.normal_(parameter)
    return model


@pytest.mark.parametrize("way", WAYS)
@torch.no_grad()
def test_token_by_token_equals_all_at_once(way):
    model = made(way)
    at_once = model(SOURCE, TARGET).log_softmax(dim=2)
    step, state = model.decoder(SOURCE)
    rows = []
    for tokens in shifted(TARGET).T:
        log_p, state = step(tokens, state)
        rows.append(log_p)
    assert torch.allclose(torch.stack(rows, dim=1), at_once, atol=1e-5)


@pytest.mark.parametrize("way", WAYS)
@torch.no_grad()
def test_only_none_gives_a_reversed_source_the_same_logits(way):
    model = made(way)
    source = torch.tensor([[9, 4, 3, 10, 2]])
    there, back = (model(rows, TARGET[:1]) for rows in (source, source.flip(1)))
    assert torch.allclose(there, back, atol=1e-5) == (way == "none")


def test_sinusoidal_is_the_transformer_of_the_library():
    torch.manual_seed(0)
    library = Transformer(11, 13, 12, 3)
    torch.manual_seed(0)
    placed = PlacedTransformer(11, 13, "sinusoidal", 12, 3)
    assert torch.equal(library(SOURCE, TARGET), placed(SOURCE, TARGET))


@pytest.mark.parametrize("way", ["rotary", "relative"])
def test_moved_tokens_keep_their_scores(way):
    torch.manual_seed(0)
    layer = PlacedAttention(12, 3, way)
    if way == "relative":
        nn.init.normal_(layer.bias)
    x = torch.randn(1, 5, 12)
    k, _ = layer.keys_values(x)
    q = layer.split(x)
    alone = layer.scores(q, k)
    longer = torch.cat([torch.randn(1, 3, 7, 4), k], dim=2)  # seven keys in front
    assert torch.allclose(layer.scores(q, longer)[..., 7:], alone, atol=1e-5)


def test_a_bias_stops_at_the_furthest_distance():
    layer = PlacedAttention(12, 3, "relative")
    nn.init.normal_(layer.bias)
    zero = torch.zeros(1, 3, 11, 4)
    bias = layer.scores(zero, zero)[0, 0]
    assert torch.equal(bias[0, FURTHEST:], bias[0, -1].expand(11 - FURTHEST))
    assert torch.equal(bias[FURTHEST:, 0], bias[-1, 0].expand(11 - FURTHEST))
    assert len(set(bias[5].tolist())) == 2 * FURTHEST + 1


def test_rotation_is_the_complex_product():
    x = torch.randn(7, 8, dtype=torch.float64)
    code = sinusoids(7, 8, start=3).double()
    turn = torch.complex(code[:, 1::2], code[:, 0::2])
    expected = torch.view_as_real(torch.complex(x[:, 0::2], x[:, 1::2]) * turn)
    assert torch.allclose(rotated(x, start=3), expected.flatten(1), atol=1e-5)


def test_an_unknown_way_is_refused():
    with pytest.raises(ValueError, match="no way 'absolute': expected one of"):
        PlacedTransformer(11, 13, "absolute")


def stored(name: str) -> list[running_task.Result]:
    """The stored runs of one of lecture 10's Transformers."""
    return [r for r in running_task.runs(TABLE) if r.model == f"Transformer{name}"]


def test_the_stored_runs_say_what_lecture_10_says_of_them():
    sines = [*stored(""), *stored(", width 40")]
    assert len(sines) == 5
    for run in sines:  # "a tenth or less, all of it at 15 and 16 words"
        assert run.longer <= 0.1
        at_15_and_16, further = run.longer_by_length
        assert at_15_and_16 > 0
        assert further == 0
    table = [round(600 * run.longer) for run in stored(", learned positions")]
    assert max(table) <= 4  # "at most 4 right of 600"
    told_how_far = [*stored(", rotary positions"), *stored(", relative positions")]
    assert min(r.longer for r in told_how_far) > max(r.longer for r in sines)
    numbers = running_task.load().test.source_lengths
    for run in stored(", no positions"):  # "a fifth is right, most of it short"
        groups = zip(running_task.GROUPS, run.by_length, strict=True)
        right = [
            share * int(((low <= numbers) & (numbers <= high)).sum())
            for (low, high), share in groups
        ]
        assert sum(right) == pytest.approx(1200 * run.exact, abs=0.5)
        assert sum(right[:2]) > 0.6 * sum(right)  # up to six words
