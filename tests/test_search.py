"""The searches, on random tiny models whose every sentence can be counted."""

import itertools
import math
from collections import Counter

import pytest
import torch

from course_lib.data.vocabulary import EOS, PAD, SOS
from course_lib.search import adjusted, beam_search, exhaustive, greedy, pick, sample

V, LONGEST = 5, 4  # tokens 0 = <pad> and 1 = <sos> never come: two tokens and <eos>
WIDE = 3**LONGEST  # more than there are prefixes


def tiny_model(seed: int, rows: int = 1):
    """A model with its own random distribution after every prefix: (step, state).

    The state of a prefix is a number made of its tokens, so that a search which mixes
    up its states is found out; the tables are looked up by row and prefix.
    """
    generator = torch.Generator().manual_seed(seed)
    shape = rows, (V + 1) ** LONGEST, V
    scores = 2 * torch.randn(shape, generator=generator, dtype=torch.float64)
    scores[..., [PAD, SOS]] = -math.inf
    table = scores.log_softmax(dim=-1)

    def step(previous, state):
        row, prefix = state
        prefix = torch.where(previous == SOS, prefix, prefix * (V + 1) + previous + 1)
        return table[row, prefix], (row, prefix)

    return step, (torch.arange(rows), torch.zeros(rows, dtype=torch.int64))


def log_p(step, state, tokens) -> float:
    """The chain rule, token by token."""
    total, before = 0.0, SOS
    for token in tokens:
        p, state = step(torch.tensor([before]), state)
        total, before = total + p[0, token].item(), token
    return total


def row(state, at):
    return pick(state, torch.tensor([at]))


def without_padding(tokens) -> tuple[int, ...]:
    return tuple(w for w in tokens.tolist() if w != PAD)


@pytest.mark.parametrize("seed", range(7))
def test_exhaustive_search_finds_every_sentence_once_and_they_add_to_one(seed):
    step, state = tiny_model(seed)
    found = exhaustive(step, state, LONGEST)
    ended = {
        (*tokens, EOS)
        for n in range(LONGEST)
        for tokens in itertools.product((3, 4), repeat=n)
    }
    cut = set(itertools.product((3, 4), repeat=LONGEST))
    assert {tokens for tokens, _ in found} == ended | cut
    assert len(found) == len(ended | cut)
    assert math.isclose(sum(math.exp(p) for _, p in found), 1.0, abs_tol=1e-12)
    assert [p for _, p in found] == sorted((p for _, p in found), reverse=True)
    for tokens, total in found:
        assert math.isclose(total, log_p(step, state, tokens), abs_tol=1e-12)


@pytest.mark.parametrize("seed", range(13))
def test_beam_of_width_one_is_greedy_search(seed):
    step, state = tiny_model(seed, rows=3)
    one, best = beam_search(step, state, 3, LONGEST, 1), greedy(step, state, 3, LONGEST)
    assert torch.equal(one.best.tokens, best.tokens)
    assert torch.allclose(one.best.log_p, best.log_p, atol=1e-12)


@pytest.mark.parametrize("seed", range(13))
@pytest.mark.parametrize("alpha", [0.0, 0.7, 1.0])
def test_beam_of_full_width_is_exhaustive_search(seed, alpha):
    step, state = tiny_model(seed, rows=2)
    beam = beam_search(step, state, 2, LONGEST, WIDE, alpha)
    for at in range(2):
        found = exhaustive(step, row(state, at), LONGEST)
        tokens, total = max(found, key=lambda pair: pair[1] / len(pair[0]) ** alpha)
        assert without_padding(beam.tokens[at, 0]) == tokens
        assert math.isclose(beam.log_p[at, 0].item(), total, abs_tol=1e-12)
        expected = total / len(tokens) ** alpha
        assert math.isclose(beam.score[at, 0].item(), expected, abs_tol=1e-12)


def test_full_width_returns_all_sentences_in_order():
    step, state = tiny_model(3)
    found = exhaustive(step, state, LONGEST)
    beam = beam_search(step, state, 1, LONGEST, WIDE)
    alive = beam.log_p[0] > -math.inf
    assert [without_padding(w) for w in beam.tokens[0][alive]] == [w for w, _ in found]


@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_batch_is_searched_as_its_rows_alone(width):
    step, state = tiny_model(11, rows=5)
    together = beam_search(step, state, 5, LONGEST, width, 0.5)
    for at in range(5):
        alone = beam_search(step, row(state, at), 1, LONGEST, width, 0.5)
        for k in range(width):
            assert without_padding(together.tokens[at, k]) == without_padding(
                alone.tokens[0, k]
            )
        assert torch.allclose(together.score[at], alone.score[0], atol=1e-12)


def test_the_log_probability_of_a_beam_is_that_of_its_words():
    for seed in range(5):
        step, state = tiny_model(seed)
        beam = beam_search(step, state, 1, LONGEST, 3)
        for tokens, total in zip(beam.tokens[0], beam.log_p[0].tolist(), strict=True):
            right = log_p(step, state, without_padding(tokens))
            assert math.isclose(total, right, abs_tol=1e-12)


def test_wider_beams_can_find_what_greedy_search_misses():
    better = 0
    for seed in range(40):
        step, state = tiny_model(seed)
        narrow = beam_search(step, state, 1, LONGEST, 1).log_p[0, 0]
        wide = beam_search(step, state, 1, LONGEST, 3).log_p[0, 0]
        better += bool(wide > narrow + 1e-9)
    assert better > 3


def test_the_steps_of_a_beam_tell_what_it_did():
    step, state = tiny_model(2, rows=2)
    beam = beam_search(step, state, 2, LONGEST, 3)
    for before, now in zip([None, *beam.steps], beam.steps, strict=False):
        for b in range(2):
            for k in range(3):
                parent, token = now.parent[b, k], now.token[b, k]
                assert now.candidates[b, parent, token] == now.log_p[b, k]
                if before is not None and before.done[b, parent]:
                    assert token == EOS
                    assert now.log_p[b, k] == before.log_p[b, parent]
        kept = now.log_p.min(dim=1).values
        better = (now.candidates > kept[:, None, None]).sum(dim=(1, 2))
        assert (better <= 2).all()  # nothing better than the worst kept was dropped


def test_length_normalisation_prefers_the_longer_sentence():
    """Stop at once with 0.4, or go on: 0.6 then 0.6 then certainty."""
    table = torch.tensor([[0.4, 0.6], [0.4, 0.6], [1.0, 0.0]]).log()

    def step(previous, prefix):
        log_p = torch.full((len(prefix), 4), -math.inf)
        log_p[:, EOS], log_p[:, 3] = table[prefix].unbind(dim=1)
        return log_p, prefix + 1

    start = torch.zeros(1, dtype=torch.int64)
    plain = beam_search(step, start, 1, 3, width=4)
    normal = beam_search(step, start, 1, 3, width=4, alpha=1.0)
    assert without_padding(plain.tokens[0, 0]) == (EOS,)
    assert without_padding(normal.tokens[0, 0]) == (3, 3, EOS)
    assert math.isclose(normal.score[0, 0].item(), math.log(0.36) / 3, abs_tol=1e-6)


def test_sampling_follows_the_model():
    step, state = tiny_model(5)
    rows = pick(state, torch.zeros(20_011, dtype=torch.int64))
    drawn = sample(step, rows, 20_011, LONGEST, torch.Generator().manual_seed(1))
    counts = Counter(without_padding(tokens) for tokens in drawn.tokens)
    truth = dict(exhaustive(step, state, LONGEST))
    for tokens, total in truth.items():
        assert abs(counts[tokens] / 20_011 - math.exp(total)) < 0.015
    for tokens, total in zip(drawn.tokens[:53], drawn.log_p[:53].tolist(), strict=True):
        assert math.isclose(total, truth[without_padding(tokens)], abs_tol=1e-12)


def test_a_generator_makes_sampling_repeatable():
    step, state = tiny_model(5, rows=7)
    draws = [
        sample(step, state, 7, LONGEST, torch.Generator().manual_seed(seed)).tokens
        for seed in (1, 1, 2)
    ]
    assert torch.equal(draws[0], draws[1])
    assert draws[0].shape != draws[2].shape or not torch.equal(draws[0], draws[2])


P = torch.tensor([[0.5, 0.3, 0.15, 0.05]], dtype=torch.float64)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [0.5, 0.3, 0.15, 0.05]),
        (
            {"temperature": 0.5},
            [0.25 / 0.365, 0.09 / 0.365, 0.0225 / 0.365, 0.0025 / 0.365],
        ),
        ({"top_k": 2}, [0.625, 0.375, 0, 0]),
        ({"top_k": 99}, [0.5, 0.3, 0.15, 0.05]),
        ({"top_p": 0.5}, [1, 0, 0, 0]),
        ({"top_p": 0.51}, [0.625, 0.375, 0, 0]),
        ({"top_p": 1.0}, [0.5, 0.3, 0.15, 0.05]),
        ({"top_k": 3, "top_p": 0.8}, [0.625, 0.375, 0, 0]),
    ],
)
def test_temperature_top_k_and_top_p(options, expected):
    got = adjusted(P.log(), **options).exp()
    assert torch.allclose(got, torch.tensor([expected]).double(), atol=1e-7)
    turned = adjusted(P.flip(1).log(), **options).exp()
    assert torch.allclose(turned.flip(1), got, atol=1e-12)


def test_a_temperature_near_zero_is_greedy_search():
    step, state = tiny_model(9, rows=5)
    cold = sample(
        step, state, 5, LONGEST, torch.Generator().manual_seed(0), temperature=1e-4
    )
    assert torch.equal(cold.tokens, greedy(step, state, 5, LONGEST).tokens)


def test_rows_that_have_ended_are_padded_and_cost_nothing_more():
    step, state = tiny_model(4, rows=7)
    made = greedy(step, state, 7, LONGEST)
    for at in range(7):
        tokens = without_padding(made.tokens[at])
        assert EOS not in tokens[:-1]
        right = log_p(step, row(state, at), tokens)
        assert math.isclose(made.log_p[at].item(), right, abs_tol=1e-12)


def test_states_of_any_shape_are_picked():
    index = torch.tensor([2, 0, 2])
    a = torch.arange(3)
    got = pick({"a": a, "b": (a, [a, None])}, index)
    assert got["a"].tolist() == got["b"][0].tolist() == got["b"][1][0].tolist()
    assert got["a"].tolist() == [2, 0, 2]
    assert got["b"][1][1] is None
    with pytest.raises(ValueError, match="not of str"):
        pick((a, "text"), index)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda m: greedy(*m, 1, 0), "max_length must be at least 1, got 0"),
        (lambda m: beam_search(*m, 1, 3, 0), "width must be at least 1, got 0"),
        (lambda m: adjusted(P, temperature=0.0), "temperature must be positive, got 0"),
        (lambda m: adjusted(P, top_k=0), "top_k must be at least 1, got 0"),
        (lambda m: adjusted(P, top_p=1.5), r"top_p must lie in \(0, 1\], got 1.5"),
    ],
)
def test_bad_arguments_are_named(call, says):
    with pytest.raises(ValueError, match=says):
        call(tiny_model(0))


def test_exhaustive_search_refuses_a_large_space():
    def step(previous, state):
        return torch.zeros(len(previous), 101).log_softmax(dim=1), state

    with pytest.raises(ValueError, match="tiny vocabularies"):
        exhaustive(step, None, 7)
