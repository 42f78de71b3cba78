"""Exactly solvable models against brute force: joint Gaussians, all hidden paths."""

import itertools

import numpy as np
import pytest
import torch

from course_lib.data.sources import HiddenSource, stationary
from course_lib.models.state_space import (
    LinearGaussian,
    condition,
    hmm_forward,
    hmm_smoother,
    kalman_filter,
    log_gaussian,
    rts_smoother,
)

STEPS, D_Z, D_X, BATCH = 7, 3, 2, 5


@pytest.fixture
def model():
    rng = np.random.default_rng(11)
    normal = rng.standard_normal
    P_1 = normal((D_Z, D_Z))
    return LinearGaussian(
        A=0.6 * normal((D_Z, D_Z)),
        B=normal((D_Z, 2)),
        C=normal((D_X, D_Z)),
        D=0.7 * normal((D_X, 5)),
        m_1=normal(D_Z),
        P_1=P_1 @ P_1.T + np.eye(D_Z),
    )


@pytest.fixture
def x(model):
    return model.sample(BATCH, STEPS, np.random.default_rng(3))[1]


def test_samples_have_the_joint_mean_and_covariance(model):
    z, x = model.sample(60_000, 3, np.random.default_rng(1))
    flat = np.concatenate([z.reshape(len(z), -1), x.reshape(len(x), -1)], axis=1)
    mean, cov = model.joint(3)
    sigma = np.sqrt(np.diag(cov))
    assert np.abs((flat.mean(axis=0) - mean) / sigma).max() < 0.02
    assert np.abs((np.cov(flat.T) - cov) / np.outer(sigma, sigma)).max() < 0.03


def test_filter_likelihood_is_that_of_the_joint_gaussian(model, x):
    mean, cov = model.joint(STEPS)
    seen = slice(STEPS * D_Z, None)
    direct = log_gaussian(x.reshape(BATCH, -1), mean[seen], cov[seen, seen])
    filtered = kalman_filter(model, x)
    assert filtered.log_p.shape == (BATCH, STEPS)
    assert filtered.log_p.sum(axis=1) == pytest.approx(direct, abs=1e-10)


@pytest.mark.parametrize("t", [1, 4, STEPS])
def test_filter_is_the_joint_gaussian_conditioned_on_the_past(model, x, t):
    mean, cov = model.joint(t)
    m, P = condition(mean, cov, slice(t * D_Z, None), x[:, :t].reshape(BATCH, -1))
    filtered = kalman_filter(model, x)
    assert filtered.m[:, t - 1] == pytest.approx(m[:, -D_Z:], abs=1e-10)
    assert filtered.P[t - 1] == pytest.approx(P[-D_Z:, -D_Z:], abs=1e-10)


def test_smoother_is_the_joint_gaussian_conditioned_on_everything(model, x):
    mean, cov = model.joint(STEPS)
    m, P = condition(mean, cov, slice(STEPS * D_Z, None), x.reshape(BATCH, -1))
    P = P.reshape(STEPS, D_Z, STEPS, D_Z)
    smoothed = rts_smoother(model, kalman_filter(model, x))
    assert smoothed.m == pytest.approx(m.reshape(BATCH, STEPS, D_Z), abs=1e-10)
    for t in range(STEPS):
        assert smoothed.P[t] == pytest.approx(P[t, :, t], abs=1e-10)
    for t in range(STEPS - 1):
        assert smoothed.cross[t] == pytest.approx(P[t + 1, :, t], abs=1e-10)


def test_smoother_leaves_the_filter_as_it_was_and_is_never_less_certain(model, x):
    filtered = kalman_filter(model, x)
    kept = filtered.m.copy(), filtered.P.copy()
    smoothed = rts_smoother(model, filtered)
    assert np.array_equal(filtered.m, kept[0])
    assert np.array_equal(filtered.P, kept[1])
    gained = np.linalg.eigvalsh(filtered.P - smoothed.P)
    assert gained.min() > -1e-12
    assert gained[0].max() > 1e-3


def test_gaussian_density_agrees_with_torch():
    rng = np.random.default_rng(5)
    root, x, mean = rng.standard_normal((3, 3)), rng.standard_normal((7, 3)), np.ones(3)
    cov = root @ root.T + np.eye(3)
    both = torch.distributions.MultivariateNormal(*map(torch.tensor, (mean, cov)))
    truth = both.log_prob(torch.tensor(x)).numpy()
    assert log_gaussian(x, mean, cov) == pytest.approx(truth, abs=1e-12)


def test_a_wrong_width_is_quoted(model):
    with pytest.raises(ValueError, match=r"\(5, 7, 3\).*T, 2"):
        kalman_filter(model, np.zeros((5, 7, 3)))


def hmm():
    rng = np.random.default_rng(2)
    rows = lambda *shape: rng.dirichlet(np.ones(shape[1]), shape[0])  # noqa: E731
    return rows(1, 3)[0], rows(3, 3), rows(3, 5), rng.integers(0, 5, 7)


def test_forward_algorithm_is_the_sum_over_all_hidden_paths():
    pi, A, B, x = hmm()
    beliefs, log_p = hmm_forward(pi, A, B, x)
    total, last = 0.0, np.zeros(3)
    for z in itertools.product(range(3), repeat=len(x)):
        p = pi[z[0]] * B[z[0], x[0]]
        for t in range(1, len(x)):
            p *= A[z[t - 1], z[t]] * B[z[t], x[t]]
        total += p
        last[z[-1]] += p
    assert log_p.sum() == pytest.approx(np.log(total), abs=1e-12)
    assert beliefs[-1] == pytest.approx(last / total, abs=1e-12)


def test_forward_algorithm_agrees_with_the_source_of_lecture_06():
    _, A, B, x = hmm()
    said = HiddenSource(A, B).predictions(x)
    log_p = hmm_forward(stationary(A), A, B, x)[1]
    assert log_p == pytest.approx(np.log(said[np.arange(len(x)), x]), abs=1e-10)


def test_long_strings_do_not_run_out_of_digits_and_impossible_ones_are_named():
    pi, A, B, _ = hmm()
    assert np.isfinite(hmm_forward(pi, A, B, np.zeros(2000, dtype=int))[1].sum())
    silent = np.array([[1.0, 0.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match=r"symbol 1 cannot follow \[0\]"):
        hmm_forward(np.array([0.5, 0.5]), np.eye(2), silent, np.array([0, 1]))


def test_hmm_smoother_is_the_sum_over_all_hidden_paths():
    pi, A, B, x = hmm()
    found = np.zeros((len(x), 3))
    for z in itertools.product(range(3), repeat=len(x)):
        p = pi[z[0]] * B[z[0], x[0]]
        for t in range(1, len(x)):
            p *= A[z[t - 1], z[t]] * B[z[t], x[t]]
        found[np.arange(len(x)), z] += p
    beliefs, _ = hmm_forward(pi, A, B, x)
    kept = beliefs.copy()
    smoothed = hmm_smoother(A, beliefs)
    assert smoothed == pytest.approx(found / found[0].sum(), abs=1e-12)
    assert smoothed[-1] == pytest.approx(beliefs[-1])
    assert np.array_equal(beliefs, kept), "the beliefs are not written into"


def test_hmm_smoother_takes_states_that_cannot_be_reached():
    pi, A = np.array([1.0, 0, 0]), np.array([[0.5, 0.5, 0], [0, 1, 0], [0, 0, 1.0]])
    B = np.array([[0.9, 0.1], [0.1, 0.9], [0.5, 0.5]])
    beliefs, _ = hmm_forward(pi, A, B, np.array([0, 0, 1, 1]))
    smoothed = hmm_smoother(A, beliefs)
    assert smoothed.sum(axis=1) == pytest.approx(np.ones(4))
    assert (smoothed[:, 2] == 0).all()
