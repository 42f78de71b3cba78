"""The plain encoder-decoder, against torch's own pieces and against itself."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from course_lib.data.vocabulary import EOS, PAD, SOS, padded
from course_lib.models.losses import masked_cross_entropy, shifted
from course_lib.models.seq2seq import Seq2Seq, reversed_rows
from course_lib.search import greedy

SOURCE_WORDS, TARGET_WORDS, D_E, D_H = 11, 13, 5, 7
SOURCE = padded([[3, 4, 5, EOS], [6, EOS], [7, 8, 9, 10, 3, EOS]])
TARGET = padded([[3, 12, EOS], [4, 5, 6, 7, EOS], [EOS]])


@pytest.fixture
def model():
    torch.manual_seed(3)
    return Seq2Seq(SOURCE_WORDS, TARGET_WORDS, D_E, D_H).double()


def test_padding_changes_nothing(model):
    """A row alone and the same row in a padded batch give the same state and logits."""
    together = model.encode(SOURCE)
    logits = model(SOURCE, TARGET)
    for at, (tokens, goal) in enumerate(zip(SOURCE, TARGET, strict=True)):
        tokens, goal = tokens[tokens != PAD][None], goal[goal != PAD][None]
        alone = model.encode(tokens)
        for part, other in zip(alone.last, together.last, strict=True):
            assert torch.allclose(part[0], other[at], atol=1e-12)
        n = tokens.shape[1]
        assert torch.allclose(alone.states[0], together.states[at, :n], atol=1e-12)
        assert (together.states[at, n:] == 0).all()
        right = model(tokens, goal)[0]
        assert torch.allclose(right, logits[at, : goal.shape[1]], atol=1e-12)
    assert torch.equal(together.mask, SOURCE != PAD)


def test_the_memory_is_that_of_a_plain_lstm(model):
    row = SOURCE[2:]
    out, (h, c) = model.encode.lstm(model.encode.embed(row))
    memory = model.encode(row)
    assert torch.allclose(memory.states, out, atol=1e-12)
    assert torch.allclose(memory.last[0], h[0], atol=1e-12)
    assert torch.allclose(memory.last[1], c[0], atol=1e-12)


def test_all_steps_at_once_are_one_step_at_a_time(model):
    """The logits of teacher forcing are those of `step`, token by token."""
    expected = F.log_softmax(model(SOURCE, TARGET), dim=2)
    memory = model.encode(SOURCE)
    state, inputs = model.start(memory), shifted(TARGET)
    for t in range(TARGET.shape[1]):
        log_p, state, weights = model.step(inputs[:, t], state, memory)
        assert torch.allclose(log_p, expected[:, t], atol=1e-12)
        assert weights is None  # a plain decoder does not look back


def test_the_decoder_sees_words_before_and_never_the_word_itself(model):
    inputs = shifted(TARGET)
    assert inputs[:, 0].tolist() == [SOS] * 3
    assert torch.equal(inputs[:, 1:], TARGET[:, :-1])
    changed = TARGET.clone()
    changed[1, 2] = 9
    before, after = model(SOURCE, TARGET)[1], model(SOURCE, changed)[1]
    assert torch.equal(before[:3], after[:3])
    assert not torch.allclose(before[3], after[3])


def test_the_source_reaches_the_decoder_through_the_last_state_only(model):
    memory = model.encode(SOURCE)
    other = memory._replace(states=torch.zeros_like(memory.states))
    tokens = torch.tensor([SOS, 3, 4])
    a, b = (model.step(tokens, model.start(m), m).log_p for m in (memory, other))
    assert torch.equal(a, b)


def test_reversed_rows_keep_end_and_padding():
    assert reversed_rows(SOURCE).tolist() == [
        [5, 4, 3, EOS, PAD, PAD],
        [6, EOS, PAD, PAD, PAD, PAD],
        [3, 10, 9, 8, 7, EOS],
    ]
    assert torch.equal(reversed_rows(reversed_rows(SOURCE)), SOURCE)


def test_a_reading_encoder_in_reverse_is_one_that_reads_reversed_rows(model):
    torch.manual_seed(3)
    turned = Seq2Seq(SOURCE_WORDS, TARGET_WORDS, D_E, D_H, reverse=True).double()
    turned.load_state_dict(model.state_dict())
    expected = model(reversed_rows(SOURCE), TARGET)
    assert torch.allclose(turned(SOURCE, TARGET), expected, atol=1e-12)
    assert not torch.allclose(turned(SOURCE, TARGET), model(SOURCE, TARGET))


def test_the_loss_is_that_of_the_logits_padding_left_out(model):
    expected = masked_cross_entropy(model(SOURCE, TARGET), TARGET)
    assert torch.allclose(model.loss(SOURCE, TARGET), expected, atol=1e-12)


def test_a_search_runs_on_the_decoder_and_mixes_no_rows(model):
    together = greedy(*model.decoder(SOURCE), 3, 6)
    for at, tokens in enumerate(SOURCE):
        alone = greedy(*model.decoder(tokens[tokens != PAD][None]), 1, 6)
        assert torch.allclose(alone.log_p[0], together.log_p[at], atol=1e-12)


def test_gradients_reach_the_encoder_through_the_first_state(model):
    model.loss(SOURCE, TARGET).backward()
    assert model.encode.lstm.weight_hh_l0.grad.abs().max() > 0
    assert model.encode.embed.weight.grad[PAD].abs().max() == 0


def test_it_learns_to_turn_a_short_word_round():
    """Three letters in, the same three backwards: all 64 of them by heart."""
    torch.manual_seed(0)
    letters = torch.cartesian_prod(*[torch.arange(3, 7)] * 3)
    ends = torch.full((64, 1), EOS)
    source, target = (
        torch.cat([letters, ends], 1),
        torch.cat([letters.flip(1), ends], 1),
    )
    small = Seq2Seq(7, 7, 8, 24)
    optimiser = torch.optim.Adam(small.parameters(), lr=0.02)
    for _ in range(150):
        optimiser.zero_grad()
        small.loss(source, target).backward()
        optimiser.step()
    assert torch.equal(greedy(*small.decoder(source), 64, 5).tokens, target)


def test_forget_gates_start_open(model):
    """With h = 0 and x = 0 the cell keeps sigmoid(1) of itself, all else off."""
    for lstm in (model.encode.lstm, model.lstm):
        f = slice(D_H, 2 * D_H)
        assert (lstm.bias_ih_l0[f] + lstm.bias_hh_l0[f] == 1).all()
        c_0 = torch.full((1, 1, D_H), 3.0, dtype=torch.float64)
        lstm.bias_ih_l0.data[2 * D_H : 3 * D_H] = 0  # no candidate
        lstm.bias_hh_l0.data[2 * D_H : 3 * D_H] = 0
        nothing = torch.zeros(1, 1, D_E, dtype=torch.float64)
        _, (_, c) = lstm(nothing, (torch.zeros_like(c_0), c_0))
        assert torch.allclose(c, 3 * torch.sigmoid(torch.ones_like(c)), atol=1e-12)


def test_an_empty_row_is_named(model):
    with pytest.raises(ValueError, match=r"\(2, 3\) has an empty row"):
        model.encode(torch.tensor([[3, EOS, PAD], [PAD, PAD, PAD]]))


def test_parameters_are_counted_as_the_formula_says(model):
    def lstm(d_x, d_h):
        return 4 * (d_h * (d_x + d_h) + 2 * d_h)

    count = sum(p.numel() for p in model.parameters())
    embeddings = (SOURCE_WORDS + TARGET_WORDS) * D_E
    assert count == embeddings + 2 * lstm(D_E, D_H) + TARGET_WORDS * (D_H + 1)
    assert isinstance(model.read_out, nn.Linear)
