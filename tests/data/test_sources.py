"""Known sources: entropy rates against hand counts and long samples."""

import numpy as np
import pytest

from course_lib.data.sources import (
    HiddenSource,
    MarkovSource,
    entropy,
    load,
    stationary,
)

WEATHER = np.array([[0.9, 0.1], [0.5, 0.5]])  # sun, rain: pi = (5/6, 1/6)
MOODS = HiddenSource(
    np.array([[0.8, 0.2], [0.3, 0.7]]), np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
)


def log_loss(said, x):
    return -np.log(said[np.arange(len(x)), x]).mean()


def test_entropy_of_known_distributions():
    assert entropy(np.full(7, 1 / 7)) == pytest.approx(np.log(7))
    assert entropy(np.array([0.0, 1.0, 0.0])) == 0
    assert entropy(np.array([[0.5, 0.5], [1.0, 0.0]])) == pytest.approx([np.log(2), 0])


def test_the_stationary_distribution_stays():
    assert stationary(WEATHER) == pytest.approx([5 / 6, 1 / 6], abs=1e-14)


def test_two_separate_worlds_have_no_single_stationary_distribution():
    with pytest.raises(ValueError, match="more than one stationary"):
        stationary(np.eye(3))


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    "rows", [[[0.5, 0.6], [0.5, 0.5]], [[1.5, -0.5], [0.5, 0.5]], [0.5, 0.5]]
)
def test_rows_that_are_no_distributions_are_refused(rows):
    with pytest.raises(ValueError, match="rows are distributions"):
        stationary(np.array(rows))


def test_the_entropy_rate_of_the_weather_by_hand():
    by_hand = 5 / 6 * -(0.9 * np.log(0.9) + 0.1 * np.log(0.1)) + 1 / 6 * np.log(2)
    assert MarkovSource(WEATHER).entropy_rate == pytest.approx(by_hand, abs=1e-14)


def test_a_long_sample_costs_the_entropy_rate_and_moves_as_it_should():
    source = MarkovSource(WEATHER)
    x = source.sample(100_000, np.random.default_rng(0))
    assert np.bincount(x) / len(x) == pytest.approx([5 / 6, 1 / 6], abs=0.01)
    assert log_loss(WEATHER[x[:-1]], x[1:]) == pytest.approx(
        source.entropy_rate, rel=0.02
    )


@pytest.mark.parametrize("length", [0, 1, 2, 13])
def test_samples_have_the_length_asked_for(length):
    rng = np.random.default_rng(0)
    assert MarkovSource(WEATHER).sample(length, rng).shape == (length,)
    assert MOODS.sample(length, rng).shape == (length,)


def test_predictions_are_the_ratios_of_string_probabilities():
    """p(x_t | x_<t) by brute force: sum over all paths of hidden states."""
    x = np.array([2, 0, 1, 1, 2])
    A, B, pi = MOODS.A, MOODS.B, stationary(MOODS.A)

    def probability(string):
        paths = np.stack(np.meshgrid(*[[0, 1]] * len(string))).reshape(len(string), -1)
        p = pi[paths[0]] * B[paths[0], string[0]]
        for t in range(1, len(string)):
            p = p * A[paths[t - 1], paths[t]] * B[paths[t], string[t]]
        return p.sum()

    said = MOODS.predictions(x)
    assert said.sum(axis=1) == pytest.approx(np.ones(5))
    for t in range(1, 5):
        ratio = probability(x[: t + 1]) / probability(x[:t])
        assert said[t, x[t]] == pytest.approx(ratio, abs=1e-14)


def test_the_bounds_enclose_each_other_and_close_in():
    bounds = [MOODS.entropy_rate_bounds(n) for n in range(2, 11)]
    low, high = np.array(bounds).T
    assert np.all(np.diff(low) > 0)
    assert np.all(np.diff(high) < 0)
    assert np.all(low < high)
    assert high[-1] - low[-1] < 1e-3 * (high[0] - low[0])


def test_a_long_sample_lies_between_the_bounds():
    low, high = MOODS.entropy_rate_bounds(10)
    x = MOODS.sample(100_000, np.random.default_rng(1))
    assert low - 0.01 < log_loss(MOODS.predictions(x), x) < high + 0.01


def test_a_hidden_source_that_hides_nothing_is_a_markov_source():
    source = HiddenSource(WEATHER, np.eye(2))
    rate = MarkovSource(WEATHER).entropy_rate
    assert source.entropy_rate_bounds(3) == pytest.approx((rate, rate), abs=1e-14)


@pytest.mark.parametrize("n", [1, 30])
def test_bounds_refuse_what_cannot_be_listed(n):
    with pytest.raises(ValueError, match=f"n = {n} with 3 symbols"):
        MOODS.entropy_rate_bounds(n)


def test_load_is_repeatable_and_depends_on_the_seed():
    source, x = load(3, length=1009)
    assert np.array_equal(x, load(3, length=1009)[1])
    assert not np.array_equal(x, load(4, length=1009)[1])
    assert x.shape == (1009,)
    assert set(x) == {0, 1, 2, 3}
    low, high = source.entropy_rate_bounds(10)
    assert high - low < 1e-4
