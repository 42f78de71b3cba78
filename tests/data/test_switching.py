"""The walker with three homes: its law as stated, its likelihood exact."""

import numpy as np
import pytest

from course_lib.data import switching
from course_lib.models.state_space import LinearGaussian, kalman_filter


def test_a_seed_gives_the_same_bytes_and_another_seed_others():
    first, again, other = (switching.load(3, 7, seed=s) for s in (5, 5, 6))
    for a, b, c in zip(first, again, other, strict=True):
        assert a.tobytes() == b.tobytes()
        assert a.tobytes() != c.tobytes()
    assert first[0].shape == first[1].shape == (3, 7, 2)
    assert first[2].shape == (3, 7)


def test_homes_are_kept_as_often_as_promised():
    k = switching.homes_in_mind(4001, 7, np.random.default_rng(0))
    kept = (k[:, 1:] == k[:, :-1]).mean()
    assert kept == pytest.approx(switching.STAY, abs=0.01)
    assert np.bincount(k.ravel()) / k.size == pytest.approx(1 / 3, abs=0.02)
    assert np.diag(switching.SWITCH) == pytest.approx(switching.STAY)
    assert switching.SWITCH.sum(axis=1) == pytest.approx(1)


def test_a_walker_who_keeps_one_home_arrives_there():
    k = np.full((1, 83), 2)
    z = switching.walk(k, np.zeros((1, 83, 2)))
    assert z[0, -1] == pytest.approx(switching.HOMES[2], abs=1e-6)
    first = switching.HOMES[2] - switching.A @ switching.HOMES[2]
    assert z[0, 0] == pytest.approx(first, abs=1e-12)


def test_noise_has_the_stated_size():
    x, z, k = switching.load(2003, 5, seed=1)
    assert (x - z).std() == pytest.approx(switching.SIGHT_NOISE, rel=0.02)
    calm = switching.walk(k, np.zeros_like(z))
    assert (z - calm)[:, 0].std() == pytest.approx(switching.MOVE_NOISE, rel=0.05)
    off = (x - calm).reshape(len(x), -1)
    assert np.cov(off.T) == pytest.approx(switching.covariance(5), abs=0.01)


def test_all_paths_are_listed_once_and_their_probabilities_sum_to_one():
    k, log_p = switching.every_path(5)
    assert len(np.unique(k, axis=0)) == 3**5
    assert np.exp(log_p).sum() == pytest.approx(1, abs=1e-12)
    same = (k == 1).all(axis=1)
    assert np.exp(log_p[same]) == pytest.approx(switching.STAY**4 / 3)


def test_likelihood_is_the_sum_over_kalman_filters_one_for_each_path():
    """For given homes the offset z - (noise-free path) is a linear-Gaussian model."""
    x, _, _ = switching.load(3, 4, seed=7)
    b, d = switching.MOVE_NOISE * np.eye(2), switching.SIGHT_NOISE * np.eye(2)
    offset = LinearGaussian(switching.A, b, np.eye(2), d, np.zeros(2), b @ b.T)
    k, log_p = switching.every_path(4)
    means = switching.walk(k, np.zeros((*k.shape, 2)))
    each = [kalman_filter(offset, x - mean).log_p.sum(axis=1) for mean in means]
    total = np.logaddexp.reduce(np.stack(each) + log_p[:, None], axis=0)
    assert switching.log_likelihood(x) == pytest.approx(total, abs=1e-10)


def test_likelihood_is_a_density():
    """For one step, the sum over a fine grid of the plane is one."""
    places = np.linspace(-4, 4, 201)
    grid = np.stack(np.meshgrid(places, places), axis=-1).reshape(-1, 1, 2)
    cell = (places[1] - places[0]) ** 2
    total = np.exp(switching.log_likelihood(grid)).sum() * cell
    assert total == pytest.approx(1, abs=1e-6)


def test_beliefs_are_distributions_and_hindsight_knows_more():
    x, _, k = switching.load(101, 6, seed=3)
    later = switching.home_beliefs(x)
    assert later.shape == (101, 6, 3)
    assert later.sum(axis=2) == pytest.approx(1, abs=1e-12)
    now = switching.home_beliefs(x[:, :3])[:, -1]
    truth = np.arange(101), k[:, 2]
    hindsight = np.log(later[:, 2][truth]).mean()
    assert hindsight > np.log(now[truth]).mean() + 0.1


def test_batches_do_not_change_the_answer_and_none_is_allowed():
    x, _, _ = switching.load(71, 3, seed=2)  # more than one batch of 64
    alone = np.concatenate([switching.log_likelihood(x[n : n + 1]) for n in (0, 66)])
    assert switching.log_likelihood(x)[[0, 66]] == pytest.approx(alone, abs=1e-12)
    assert switching.log_likelihood(x[:0]).shape == (0,)
    assert switching.home_beliefs(x[:0]).shape == (0, 3, 3)


@pytest.mark.usefixtures("unchecked")
def test_wrong_sizes_are_quoted():
    with pytest.raises(ValueError, match="-1 and 5"):
        switching.load(-1, 5)
    with pytest.raises(ValueError, match="3 and 0"):
        switching.load(3, 0)
    with pytest.raises(ValueError, match=r"3\^13"):
        switching.every_path(13)
    with pytest.raises(ValueError, match=r"\(2, 3\).*\(2, 3, 2\)"):
        switching.walk(np.zeros((2, 3), dtype=int), np.zeros((2, 3)))
