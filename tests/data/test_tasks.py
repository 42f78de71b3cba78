"""The generated memory tasks: shapes, answers, repeatability, and honest baselines."""

import pytest
import torch

from course_lib.data.tasks import CUES, adding, copy, order, recall, recall_letters


def seeded(seed: int = 0) -> torch.Generator:
    """A generator of its own for each test."""
    return torch.Generator().manual_seed(seed)


DRAWS = {
    "recall": lambda g, dtype: recall(g, 7, gap=5, symbols=3, dtype=dtype),
    "adding": lambda g, dtype: adding(g, 7, length=11, dtype=dtype),
    "copy": lambda g, dtype: copy(g, 7, payload=3, gap=5, symbols=2, dtype=dtype),
}


@pytest.mark.parametrize("name", DRAWS)
def test_the_same_seed_gives_the_same_batch_and_another_seed_another(name):
    draw = DRAWS[name]
    x, y = draw(seeded(1), torch.float32)
    x_again, y_again = draw(seeded(1), torch.float32)
    x_other, _ = draw(seeded(2), torch.float32)
    assert torch.equal(x, x_again)
    assert torch.equal(y, y_again)
    assert not torch.equal(x, x_other)


@pytest.mark.parametrize("name", DRAWS)
def test_the_global_seed_is_neither_used_nor_moved(name):
    torch.manual_seed(0)
    before = torch.get_rng_state()
    x, _ = DRAWS[name](seeded(1), torch.float32)
    assert torch.equal(before, torch.get_rng_state())
    torch.manual_seed(5)
    assert torch.equal(x, DRAWS[name](seeded(1), torch.float32)[0])


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_inputs_have_the_type_asked_for(name, dtype):
    assert DRAWS[name](seeded(), dtype)[0].dtype == dtype


def test_recall_shows_the_cue_first_and_the_question_last():
    x, y = recall(seeded(), 13, gap=5, symbols=3)
    assert x.shape == (13, 7, 7)
    assert y.shape == (13,)
    assert torch.equal(x.sum(dim=2), torch.ones(13, 7))  # one-hot at every step
    tokens = x.argmax(dim=2)
    assert torch.equal(tokens[:, 0], y)
    assert torch.all(tokens[:, -1] == 6)
    assert torch.all((tokens[:, 1:-1] >= 3) & (tokens[:, 1:-1] < 6))


def test_recall_cannot_be_answered_from_the_distractors():
    x, y = recall(seeded(), 20_000, gap=2, symbols=2)
    between = x[:, 1:-1].argmax(dim=2)
    for place in range(2):
        agree = (between[:, place] - 2 == y).double().mean()
        assert abs(agree - 0.5) < 0.02


def test_recall_uses_every_cue_about_equally_often():
    _, y = recall(seeded(), 20_000, gap=0, symbols=5)
    share = torch.bincount(y, minlength=5) / 20_000
    assert share.sub(0.2).abs().max() < 0.02


def test_letters_spell_the_batch():
    x, y = recall(seeded(3), 5, gap=3, symbols=2)
    for text, answer in zip(recall_letters(x), y.tolist(), strict=True):
        assert len(text) == 5
        assert text[0] == CUES[answer]
        assert set(text[1:-1]) <= set("st")
        assert text[-1] == "?"


def test_letters_refuse_what_is_not_a_recall_batch():
    with pytest.raises(ValueError, match=r"\(7, 11, 2\)"):
        recall_letters(adding(seeded(), 7, 11)[0])


@pytest.mark.parametrize("length", [2, 3, 11])
def test_adding_marks_one_number_in_each_half_and_adds_them(length):
    x, y = adding(seeded(), 17, length, dtype=torch.float64)
    assert x.shape == (17, length, 2)
    values, marks = x.unbind(dim=2)
    half = length // 2
    assert torch.all(marks[:, :half].sum(dim=1) == 1)
    assert torch.all(marks[:, half:].sum(dim=1) == 1)
    chosen = values[marks == 1].view(17, 2)
    assert torch.allclose(chosen.sum(dim=1), y, atol=1e-15)
    assert values.min() >= 0
    assert values.max() < 1


def test_guessing_one_in_adding_costs_a_sixth():
    _, y = adding(seeded(), 50_000, 7)
    assert abs((y - 1).pow(2).mean() - 1 / 6) < 0.003


def test_copy_repeats_the_message_after_the_signal():
    x, y = copy(seeded(), 7, payload=3, gap=5, symbols=2)
    assert x.shape == (7, 11, 4)
    assert y.shape == (7, 11)
    tokens = x.argmax(dim=2)
    assert torch.equal(y[:, 8:], tokens[:, :3])
    assert torch.all(y[:, :8] == 2)
    assert torch.all(tokens[:, 7] == 3)
    assert torch.all(tokens[:, 3:7] == 2)
    assert torch.all(tokens[:, 8:] == 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: recall(g, 0, 5), "batch must be at least 1, got 0"),
        (lambda g: recall(g, 2, -1), "gap must be at least 0, got -1"),
        (lambda g: recall(g, 2, 5, symbols=9), r"symbols must lie in 2\.\.8, got 9"),
        (lambda g: adding(g, 2, 1), "length must be at least 2, got 1"),
        (lambda g: copy(g, 2, 0, 5), "payload must be at least 1, got 0"),
        (lambda g: order(g, 2, 1), "length must be at least 2, got 1"),
        (lambda g: copy(g, 2, 3, 0), "gap must be at least 1, got 0"),
        (lambda g: copy(g, 2, 3, 5, symbols=1), "symbols must be at least 2, got 1"),
    ],
)
def test_sizes_that_make_no_sense_are_refused_by_name(call, message):
    with pytest.raises(ValueError, match=message):
        call(seeded())


def test_order_has_one_a_and_one_b_and_a_reversed_row_the_opposite_answer():
    rows, first = order(seeded(), 500, 7)
    assert rows.shape == (500, 7)
    assert ((rows == 0).sum(dim=1) == 1).all()
    assert ((rows == 1).sum(dim=1) == 1).all()
    a, b = ((rows == letter).float().argmax(dim=1) for letter in (0, 1))
    assert torch.equal(first, (a < b).float())
    assert 0.4 < first.mean() < 0.6
    assert torch.equal(order(seeded(), 500, 7)[0], rows)
