"""n-grams: the formula, letter by letter with dictionaries, and probabilities."""

from collections import Counter

import numpy as np
import pytest

from course_lib.models.ngrams import KneserNey, NGrams

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


def kneser_ney_by_hand(seen, context, letter, n, top) -> float:
    """Kneser-Ney as its formula says: below the top, kinds of letters in front."""
    if n == 0:
        return 1 / V
    context = context[len(context) - n + 1 :]
    runs = [tuple(seen[i : i + n]) for i in range(len(seen) - n + 1)]
    if n < top:
        longer = {tuple(seen[i : i + n + 1]) for i in range(len(seen) - n)}
        runs = [run[1:] for run in longer]
    counts = Counter(runs)
    once, twice = (list(counts.values()).count(times) for times in (1, 2))
    delta = once / (once + 2 * twice) if once and twice else 0.5
    after = {run[-1]: k for run, k in counts.items() if list(run[:-1]) == context}
    shorter = kneser_ney_by_hand(seen, context, letter, n - 1, top)
    if not after:
        return shorter
    kept = max(after.get(letter, 0) - delta, 0) + delta * len(after) * shorter
    return kept / sum(after.values())


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_kneser_ney_equals_its_formula(order):
    seen, new = text(0, 211), text(1, 31)
    losses = KneserNey(NGrams(seen, order, V)).losses(new)
    assert losses.shape == (order, 31 - order + 1)
    for n in range(1, order + 1):
        for m, loss in enumerate(losses[n - 1], start=order - 1):
            args = (seen.tolist(), new[:m].tolist(), int(new[m]), n, n)
            p = kneser_ney_by_hand(*args)
            assert loss == pytest.approx(-np.log(p), rel=1e-12)


def test_kneser_ney_is_a_distribution_and_knows_no_zero():
    model, before = KneserNey(NGrams(text(0, 211), 4, V)), text(2, 13)
    p = [np.exp(-model.losses(np.append(before, y))[:, -1]) for y in range(V)]
    assert np.sum(p, axis=0) == pytest.approx(1, rel=1e-12)
    assert np.min(p) > 0


def test_kneser_ney_following_and_losses_agree():
    model, new = KneserNey(NGrams(text(0, 211), 3, V)), text(3, 17)
    for m, loss in enumerate(model.losses(new)[-1], start=2):
        p = model.following(new[:m])
        assert p.sum() == pytest.approx(1, rel=1e-12)
        assert loss == pytest.approx(-np.log(p[new[m]]))


def test_a_letter_that_follows_one_letter_only_is_a_bad_guess_elsewhere():
    # 4 is frequent, but comes after 3 alone: after an unknown context it is rare
    seen = np.array([0, 1, 0, 2, 1, 2, 0, 0, 1, 1, 2, 2] * 5 + [3, 4] * 30)
    counted = NGrams(seen, 2, V)
    asked = np.array([4, 4])  # no 4 was ever followed by 4
    plain, stronger = (m.losses(asked)[-1, -1] for m in (counted, KneserNey(counted)))
    assert stronger > plain + 0.3
