"""Speculative decoding: the same distribution, the same cache, and mistakes noticed."""

import itertools

import numpy as np
import pytest
import torch
from scipy import stats

from course_lib.models.gpt import GPT
from course_lib.models.speculative import (
    checked,
    cut,
    overlap,
    tokens_per_call,
    write,
)
from course_lib.seeds import set_seed

V = 5


@pytest.fixture
def model() -> GPT:
    set_seed(0)
    made = GPT(V, d_model=12, heads=3, layers=2, context=31)
    for parameter in made.parameters():
        if parameter.dim() == 2:
            torch.nn.init.normal_(parameter, std=0.5)
    return made.eval()


def draft(text: list[int]) -> torch.Tensor:
    """Depends on the last token, and never has a zero."""
    p = 1.0 + torch.arange(V).roll(text[-1] + len(text)).float()
    return p / p.sum()


@torch.no_grad()
def exact(model: GPT, prompt: list[int], length: int) -> np.ndarray:
    """The probability of every continuation, by the model alone."""
    found = []
    for tokens in itertools.product(range(V), repeat=length):
        p = model(torch.tensor([[*prompt, *tokens]]))[0].log_softmax(dim=-1)
        start = len(prompt) - 1
        found.append(sum(p[start + n, t].item() for n, t in enumerate(tokens)))
    return np.exp(found)


@pytest.mark.parametrize("gamma", [1, 3])
def test_what_is_written_has_the_targets_distribution(model, gamma):
    prompt, length, draws = [2, 4], 2, torch.Generator().manual_seed(gamma)
    found, number = np.zeros(V**length), 1500
    for _ in range(number):
        a, b = write(model, draft, torch.tensor(prompt), length, gamma, draws).tokens
        found[V * a + b] += 1
    expected = exact(model, prompt, length)
    assert stats.chisquare(found, number * expected / expected.sum()).pvalue > 0.01


def test_without_drafts_it_is_ordinary_sampling(model):
    prompt, draws = torch.tensor([1]), torch.Generator().manual_seed(3)
    written = write(model, draft, prompt, 7, 0, draws)
    assert (written.calls, written.proposed, written.accepted) == (7, 0, 0)
    draws.manual_seed(3)
    text = [1]
    for _ in range(7):
        with torch.no_grad():
            p = model(torch.tensor([text]))[0, -1].softmax(dim=-1)
        text.append(int(torch.multinomial(p, 1, generator=draws)))
    assert written.tokens == text[1:]


def test_a_perfect_draft_is_always_accepted(model):
    def perfect(text: list[int]) -> torch.Tensor:
        with torch.no_grad():
            return model(torch.tensor([text]))[0, -1].softmax(dim=-1) * 0.999999

    draws = torch.Generator().manual_seed(0)
    written = write(model, perfect, torch.tensor([1, 3]), 12, 3, draws)
    assert written.calls == 3
    assert written.accepted == written.proposed == 9
    assert len(written.tokens) == 12


def test_the_length_is_kept_and_counts_add_up(model):
    draws = torch.Generator().manual_seed(0)
    for length in (1, 2, 5, 11):
        written = write(model, draft, torch.tensor([1, 3]), length, 4, draws)
        assert len(written.tokens) == length
        assert written.accepted + written.calls == length


def test_one_round_by_hand():
    p = torch.tensor([[0.2, 0.8], [0.5, 0.5]])
    draws = torch.Generator().manual_seed(0)
    surely = checked(p, torch.tensor([[0.5, 0.5]]), [1], draws)
    assert surely[0] == 1
    assert len(surely) == 2
    never = checked(torch.tensor([[0.0, 1.0], [0.5, 0.5]]), p[1:], [0], draws)
    assert never == [1]


def test_a_cache_cut_back_is_the_cache_of_the_shorter_text(model):
    tokens = torch.randint(V, (1, 9))
    with torch.no_grad():
        short = model.read(tokens[:, :6])[1]
        cut_back = cut(model.read(tokens)[1], 6)
    assert torch.equal(short.real, cut_back.real)
    for one, other in zip(short.kept, cut_back.kept, strict=True):
        torch.testing.assert_close(one.k, other.k)
        torch.testing.assert_close(one.v, other.v)


def test_overlap_and_expected_tokens():
    p, q = torch.tensor([0.2, 0.3, 0.5]), torch.tensor([0.6, 0.3, 0.1])
    assert overlap(p, q).item() == pytest.approx(0.6)
    assert overlap(p, p).item() == pytest.approx(1.0)
    assert tokens_per_call(0.5, 3) == 1.875
    assert tokens_per_call(1.0, 4) == 5
    coins = np.random.default_rng(0).random((20_000, 3)) < 0.6
    simulated = 1 + np.cumprod(coins, axis=1).sum(axis=1).mean()
    assert tokens_per_call(0.6, 3) == pytest.approx(simulated, abs=0.03)
