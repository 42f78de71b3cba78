"""A stack of memories reads as it writes, passes over padding, and does not grow."""

import pytest
import torch

from course_lib.check import max_difference
from course_lib.data.vocabulary import EOS, PAD
from course_lib.models.gpt import Prompted
from course_lib.models.recurrent_gpt import RecurrentGPT

V, SIZES = 23, {"d_model": 12, "heads": 3, "layers": 3, "d_ff": 17}


@pytest.fixture(autouse=True)
def _double():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("attention", [(), (1,), (0, 1, 2)])
def test_token_by_token_is_all_at_once(attention):
    model = RecurrentGPT(V, **SIZES, attention=attention)
    tokens = torch.randint(3, V, (2, 11))
    whole, past = model.read(tokens[:, :4])
    parts = [whole]
    for t in range(4, 11):
        logits, past = model.read(tokens[:, t : t + 1], None, past)
        parts.append(logits)
    assert max_difference(torch.cat(parts, dim=1), model(tokens)) < 1e-11


def test_the_state_does_not_grow():
    model = RecurrentGPT(V, **SIZES)
    sizes = [
        sum(part.numel() for part in model.read(torch.randint(3, V, (1, n)))[1].kept)
        for n in (5, 50)
    ]
    assert sizes == [3 * 12 * 4] * 2
    assert model.read(torch.randint(3, V, (1, 50)))[1].real.numel() == 0


@pytest.mark.parametrize("attention", [(), (1,)])
def test_padding_is_passed_over(attention):
    model = Prompted(V, V, RecurrentGPT, **SIZES, attention=attention)
    short = torch.tensor([[5, 7, 11, EOS]])
    padded = torch.cat([short, torch.full((1, 3), PAD)], dim=1)
    target = torch.tensor([[4, 6, EOS]])
    losses = [model.loss(source, target) for source in (short, padded)]
    assert max_difference(*losses) < 1e-11


def test_it_looks_back_only():
    model = RecurrentGPT(V, **SIZES)
    tokens = torch.randint(3, V, (2, 11))
    changed = tokens.clone()
    changed[:, 6] = (tokens[:, 6] + 1) % V
    moved = (model(tokens) - model(changed)).abs().amax(dim=(0, 2))
    assert moved[:6].max() < 1e-12
    assert moved[6:].min() > 1e-9
