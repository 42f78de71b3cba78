"""The norms of Jacobian products are autograd's, and never above their bound."""

import numpy as np
import pytest
import torch

from course_lib.models import gradient_curve as curves

TORCH = {
    "tanh": torch.tanh,
    "ReLU": torch.relu,
    "sigmoid": torch.sigmoid,
    "identity": lambda a: a,
}


@pytest.mark.parametrize("activation", curves.ACTIVATIONS)
def test_norms_are_those_of_the_jacobian_that_autograd_finds(activation):
    curve = curves.gradient_curve(1.3, activation, drive=0.7, seed=5)
    W_h, entering = map(torch.tensor, curves.random_network(1.3, 0.7, seed=5))
    phi, lag, example = TORCH[activation], 7, 2
    steps = entering[example]

    def forward(h, inputs):
        for u_t in inputs:
            h = phi(W_h @ h + u_t)
        return h

    middle = forward(torch.zeros(len(W_h), dtype=torch.float64), steps[:-lag])
    J = torch.autograd.functional.jacobian(lambda h: forward(h, steps[-lag:]), middle)
    truth = torch.linalg.matrix_norm(J, 2).item()
    assert curve.norms[example, lag] == pytest.approx(truth, rel=1e-9)


@pytest.mark.parametrize("activation", curves.ACTIVATIONS)
def test_slopes_are_derivatives_and_never_exceed_the_stated_largest(activation):
    phi = curves.ACTIVATIONS[activation]
    a = torch.linspace(-6, 6, 1000, dtype=torch.float64, requires_grad=True)
    value = TORCH[activation](a)
    (slope,) = torch.autograd.grad(value.sum(), a)
    points = a.detach().numpy()
    assert np.allclose(phi.value(points), value.detach().numpy(), atol=1e-12)
    assert np.allclose(phi.slope(points), slope.numpy(), atol=1e-12)
    assert slope.max() <= phi.largest_slope
    assert slope.max() > 0.99 * phi.largest_slope


@pytest.mark.parametrize("radius", [0.4, 1.0, 2.9])
@pytest.mark.parametrize("activation", curves.ACTIVATIONS)
def test_true_norms_never_exceed_the_bound(radius, activation):
    curve = curves.gradient_curve(radius, activation)
    assert curve.norms.shape == (
        curves.SEQUENCES,
        curves.LAGS + 1,
    )
    assert np.all(curve.norms <= curve.bound * (1 + 1e-9))
    assert np.all(curve.norms[:, 0] == 1)
    assert curve.largest_singular_value >= radius


def test_the_network_has_the_radius_and_the_drive_asked_for():
    W_h, entering = curves.random_network(1.7, 0.5, width=11)
    assert np.abs(np.linalg.eigvals(W_h)).max() == pytest.approx(1.7, rel=1e-12)
    assert entering.shape[2] == 11
    assert entering.std() == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize(
    ("radius", "word"),
    [(0.7, "vanishes"), (1.7, "keeps its size"), (5.0, "explodes")],
)
def test_the_three_regimes_are_told_apart(radius, word):
    assert curves.verdict(curves.gradient_curve(radius)) == word


def test_settings_without_meaning_are_refused():
    with pytest.raises(ValueError, match=r"'softplus' is not one of \['tanh'"):
        curves.gradient_curve(1.0, "softplus")
    with pytest.raises(ValueError, match=r"got 0 and 0\.5"):
        curves.gradient_curve(0)
    with pytest.raises(ValueError, match=r"got 1 and -1"):
        curves.gradient_curve(1, drive=-1)
