"""n-grams: the formula, letter by letter with dictionaries, and probabilities."""

import numpy as np
import pytest

from course_lib.models.ngrams import NGrams

V = 5


def text(seed: int, length: int) -> np.ndarray:
    """Letters that like to follow themselves, so that contexts matter."""
    rng = np.random.default_rng(seed)
    letters = rng.integers(0, V, length)
    for n in range(1, length):
        if rng.random() < 0.6:
            letters[n] = (letters[n - 1] + 1) % V
    return letters


def by_hand(seen: list[int], context: list[int], letter: int, n: int) -> float:
    """Witten-Bell as its formula says, counted anew for every letter."""
    if n == 0:
        return 1 / V
    context = context[len(context) - n + 1 :]
    after = [
        seen[i + n - 1]
        for i in range(len(seen) - n + 1)
        if seen[i : i + n - 1] == context
    ]
    shorter = by_hand(seen, context, letter, n - 1)
    C, D = len(after), len(set(after))
    return (after.count(letter) + D * shorter) / (C + D) if C else shorter


@pytest.mark.parametrize("order", [1, 2, 3, 7])
def test_losses_equal_the_formula(order):
    seen, new = text(0, 211), text(1, 31)
    losses = NGrams(seen, order, V).losses(new)
    assert losses.shape == (order, 31 - order + 1)
    for n in range(1, order + 1):
        for m, loss in enumerate(losses[n - 1], start=order - 1):
            p = by_hand(seen.tolist(), new[:m].tolist(), new[m], n)
            assert loss == pytest.approx(-np.log(p), rel=1e-12)


@pytest.mark.parametrize("length", [0, 1, 3, 13])
def test_probabilities_add_up_and_none_is_zero(length):
    model = NGrams(text(0, 211), 4, V)
    p = model.following(text(2, length))
    assert p.shape == (V,)
    assert p.sum() == pytest.approx(1, rel=1e-12)
    assert p.min() > 0


def test_following_and_losses_agree():
    model, new = NGrams(text(0, 211), 3, V), text(3, 17)
    for m, loss in enumerate(model.losses(new)[-1], start=2):
        assert loss == pytest.approx(-np.log(model.following(new[:m])[new[m]]))


def test_more_context_helps_where_it_matters():
    losses = NGrams(text(0, 5003), 2, V).losses(text(1, 2003)).mean(axis=1)
    assert losses[0] == pytest.approx(np.log(V), abs=0.01)
    assert losses[1] < losses[0] - 0.3


def test_order_that_does_not_fit():
    with pytest.raises(ValueError, match=r"V\*\*order"):
        NGrams(text(0, 211), 30, V)
    with pytest.raises(ValueError, match="2 letters hold no run of 3"):
        NGrams(np.array([1, 2]), 3, V)
