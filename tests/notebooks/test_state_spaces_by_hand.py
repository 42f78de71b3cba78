"""What lectures 16 and 16b build on the page gives the numbers of the library."""

import math
from functools import partial

import nbformat
import numpy as np
import pytest
import torch
from lectures import NOTEBOOKS

from course_lib.models import latent, state_space
from course_lib.models.latent import NeuralStateSpace, SequenceVAE

B, T, D_X, D_Z, D_H, NETS = 3, 7, 2, 5, 11, 2


def names_of(notebook: str, *cells: str) -> dict:
    """What the functions of these cells are, run without the rest of the lecture."""
    nb = nbformat.read(NOTEBOOKS / f"{notebook}.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    nothing = lambda *_, **__: None  # noqa: E731  pictures and checks stay silent
    silent = type("Silent", (), {"__getattr__": lambda *_: lambda *a: ((), ())})()
    names: dict = {"np": np, "torch": torch, "math": math, "partial": partial}
    names |= {"show": nothing, "same": nothing, "print": nothing, "pictures": silent}
    for cell in cells:
        exec(source[cell], names)
    return names


@pytest.fixture(scope="module")
def exact() -> dict:
    return names_of(
        "16_state_spaces", "kalman", "luck", "swing", "joint", "hmm-forward"
    )


def swing(page: dict) -> state_space.LinearGaussian:
    A, B, C, D = (page[name] for name in "ABCD")
    return state_space.LinearGaussian(A, B, C, D, np.zeros(2), page["P_1"])


def test_filter_and_joint_are_the_librarys(exact):
    model = swing(exact)
    _, x = model.sample(B, T, np.random.default_rng(0))
    arrays = (exact[name] for name in ("A", "C", "Q", "R", "P_1"))
    m_minus, P_minus, m, P = exact["kalman_filter"](x, *arrays)
    made = state_space.kalman_filter(model, x)
    for ours, theirs in [
        (m_minus, made.m_minus),
        (P_minus, made.P_minus),
        (m, made.m),
        (P, made.P),
    ]:
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
    np.testing.assert_allclose(exact["joint"](T), model.joint(T)[1], atol=1e-12)


def smoother_of(cell: str, name: str):
    """One function of a cell that also runs the lecture's own data."""
    nb = nbformat.read(NOTEBOOKS / "16_state_spaces.ipynb", as_version=4)
    source = next(c.source for c in nb.cells if c.id == cell)
    function = source[: source.index("\n\n\n")]
    names: dict = {"np": np}
    exec(function, names)
    return names[name]


def test_smoother_is_the_librarys(exact):
    model = swing(exact)
    _, x = model.sample(B, T, np.random.default_rng(1))
    made = state_space.kalman_filter(model, x)
    smoother = smoother_of("rts", "smoother")
    m, P, cross = smoother(made.m_minus, made.P_minus, made.m, made.P, model.A)
    expected = state_space.rts_smoother(model, made)
    np.testing.assert_allclose(m, expected.m, atol=1e-12)
    np.testing.assert_allclose(P, expected.P, atol=1e-12)
    np.testing.assert_allclose(cross, expected.cross, atol=1e-12)


def test_forward_and_backward_are_the_librarys(exact):
    rng = np.random.default_rng(2)
    pi, A = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), 3)
    table, word = rng.dirichlet(np.ones(5), 3), rng.integers(0, 5, 13)
    beliefs, log_p = exact["hmm_forward"](pi, A, table, word)
    expected, expected_log_p = state_space.hmm_forward(pi, A, table, word)
    np.testing.assert_allclose(beliefs, expected, atol=1e-12)
    np.testing.assert_allclose(log_p, expected_log_p, atol=1e-12)
    smoother = smoother_of("hmm-exact", "hmm_smoother")
    made = state_space.hmm_smoother(A, expected)
    np.testing.assert_allclose(smoother(A, beliefs), made, atol=1e-12)


PARTS = ("gaussians", "vae-parts", "ssm-model", "ssm-posterior")


@pytest.fixture(scope="module")
def page() -> dict:
    return names_of("16b_latent_sequences", *PARTS)


def drawn(seed: int, *shape: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def close(ours, theirs) -> None:
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)


def test_the_vae_is_the_librarys(page):
    generator = torch.Generator().manual_seed(0)
    vae = SequenceVAE(NETS, D_X, D_Z, D_H, generator).double()
    x, noise = drawn(1, NETS, B, T, D_X), drawn(2, NETS, B, D_Z)
    for ours, theirs in zip(
        page["vae_terms"](vae, x, noise), vae.terms(x, noise), strict=True
    ):
        close(ours, theirs)
    blind = page["decode"](vae, torch.zeros_like(x), noise)
    close(blind, vae.decode(torch.zeros_like(x), noise))


@pytest.mark.parametrize("future", [False, True])
@pytest.mark.parametrize("chained", [False, True])
def test_the_state_space_model_is_the_librarys(page, future, chained):
    generator = torch.Generator().manual_seed(0)
    made = NeuralStateSpace(NETS, D_X, D_Z, D_H, generator, future, chained).double()
    x, noise = drawn(1, NETS, B, T, D_X), drawn(2, NETS, B, T, D_Z)
    z, q = page["infer"](made, x, noise)
    expected, expected_q = made.infer(x, noise)
    close(z, expected)
    close(q[0], expected_q[0])
    close(q[1], expected_q[1])
    close(page["prior"](made, z)[1], made.prior(z)[1])
    close(page["log_joint"](made, x, z), made.log_joint(x, z))


def test_the_small_functions_are_the_librarys(page):
    q, p = (drawn(1, 3, 5), drawn(2, 3, 5)), (drawn(3, 3, 5), drawn(4, 3, 5))
    close(page["kl_normal"](q, p), latent.kl_normal(q, p))
    close(page["log_normal"](drawn(5, 3, 5), *q), latent.log_normal(drawn(5, 3, 5), *q))
    close(page["draw"](q, drawn(6, 3, 5)), latent.sample(q, drawn(6, 3, 5)))
