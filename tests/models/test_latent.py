"""Networks with latent variables against the parts of the bound."""

import itertools

import pytest
import torch
from torch import nn

from course_lib.models import latent, packs
from course_lib.models.latent import NeuralStateSpace, SequenceVAE

STEPS, D_Z, D_X, BATCH = 7, 3, 2, 5


@pytest.fixture(autouse=True)
def _double():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def generator():
    return torch.Generator().manual_seed(0)


def test_packed_lstm_is_torchs_lstm_in_every_network():
    nets, d_x, d_h = 2, 3, 5
    ours = packs.LSTM(nets, d_x, d_h, generator())
    x = torch.randn(nets, 7, 11, d_x, generator=generator())
    for n in range(nets):
        theirs = nn.LSTM(d_x, d_h, batch_first=True)
        blocks = lambda w: torch.cat([w.chunk(4)[i] for i in (2, 1, 0, 3)])  # noqa: E731
        theirs.weight_ih_l0.data = blocks(ours.W_x.W[n].T)
        theirs.weight_hh_l0.data = blocks(ours.W_h[n].T)
        theirs.bias_ih_l0.data = blocks(ours.W_x.b[n, 0])
        theirs.bias_hh_l0.data.zero_()
        assert torch.allclose(ours(x)[n], theirs(x[n])[0], atol=1e-12)
        back = theirs(x[n].flip(1))[0].flip(1)
        assert torch.allclose(ours.reversed(x)[n], back, atol=1e-12)


def test_networks_of_a_pack_do_not_see_one_another():
    line = packs.Linear(3, 5, 2, generator())
    x = torch.randn(3, 7, 5, generator=generator())
    line(x)[1].sum().backward()
    assert line.W.grad[1].abs().min() > 0
    assert line.W.grad[[0, 2]].abs().max() == 0
    with pytest.raises(ValueError, match=r"\(2, 7, 5\).*3 networks"):
        line(x[:2])


def test_log_normal_and_kl_agree_with_torch():
    parts = torch.randn(5, 7, 3, generator=generator())
    q = torch.distributions.Normal(parts[0], parts[1].exp())
    p = torch.distributions.Normal(parts[2], parts[3].exp())
    kl = torch.distributions.kl_divergence(q, p).sum(-1)
    ours = latent.kl_normal((parts[0], parts[1]), (parts[2], parts[3]))
    assert torch.allclose(ours, kl, atol=1e-12)
    density = latent.log_normal(parts[4], parts[0], parts[1])
    assert torch.allclose(density, q.log_prob(parts[4]).sum(-1), atol=1e-12)


def test_vae_terms_are_the_parts_of_the_bound():
    vae = SequenceVAE(2, 1, 3, 5, generator())
    x = torch.randn(2, 7, 11, 1, generator=generator())
    noise = torch.randn(2, 7, 3, generator=generator())
    rec, kl = vae.terms(x, noise)
    assert rec.shape == kl.shape == (2, 7)
    mean, log_sigma = vae.encode(x)
    z = mean + log_sigma.exp() * noise
    density = torch.distributions.Normal(vae.decode(x, z), vae.log_sigma_x.exp())
    assert torch.allclose(rec, density.log_prob(x).sum((-1, -2)), atol=1e-12)
    q = torch.distributions.Normal(mean, log_sigma.exp())
    prior = torch.distributions.Normal(torch.zeros(3), torch.ones(3))
    truth = torch.distributions.kl_divergence(q, prior).sum(-1)
    assert torch.allclose(kl, truth, atol=1e-12)


def test_vae_decoder_sees_the_past_and_z_but_not_the_present():
    vae = SequenceVAE(1, 1, 3, 5, generator())
    x = torch.randn(1, 1, 7, 1, generator=generator(), requires_grad=True)
    z = torch.randn(1, 1, 3, generator=generator(), requires_grad=True)
    vae.decode(x, z)[0, 0, 4].sum().backward()
    assert (x.grad[0, 0, :4] != 0).all()
    assert (x.grad[0, 0, 4:] == 0).all()
    assert (z.grad != 0).all()


def test_vae_generates_what_it_would_have_predicted():
    vae = SequenceVAE(2, 1, 3, 5, generator())
    z = torch.randn(2, 7, 3, generator=generator())
    calm = vae.generate(z, torch.zeros(2, 7, 11, 1))
    assert torch.allclose(vae.decode(calm, z), calm, atol=1e-12)
    noise = torch.randn(2, 7, 11, 1, generator=generator())
    drawn = vae.generate(z, noise)
    residual = (drawn - vae.decode(drawn, z)) * torch.exp(-vae.log_sigma_x)
    assert torch.allclose(residual, noise, atol=1e-12)


KINDS = list(itertools.product([False, True], repeat=2))


def state_space(future, chained):
    model = NeuralStateSpace(2, 2, 3, 5, generator(), future, chained)
    x = torch.randn(2, 7, 11, 2, generator=generator())
    noise = torch.randn(2, 7, 11, 3, generator=generator())
    return model, x, noise


@pytest.mark.parametrize(("future", "chained"), KINDS)
def test_bound_terms_are_log_joint_minus_log_q_in_the_mean(future, chained):
    """With the last step's KL replaced by its one-draw estimate they must be equal."""
    model, x, noise = state_space(future, chained)
    rec, kl = model.terms(x, noise)
    assert rec.shape == kl.shape == (2, 7, 11)
    z, q = model.infer(x, noise)
    log_q, log_p = latent.log_normal(z, *q), latent.log_normal(z, *model.prior(z))
    whole = model.log_joint(x, z) - log_q.sum(-1)
    assert torch.allclose(whole, (rec + log_p - log_q).sum(-1), atol=1e-10)
    many = 4000  # the KL of step 1 does not depend on the draw: its mean is exact
    same_x = x[:, :1].expand(-1, many, -1, -1)
    draws = torch.randn(2, many, 11, 3, generator=generator())
    z, q = model.infer(same_x, draws)
    p = model.prior(z)
    estimate = latent.log_normal(z, *q) - latent.log_normal(z, *p)
    exact = model.terms(same_x, draws)[1]
    error = estimate.std(1) / many**0.5
    assert ((estimate - exact).mean(1).abs() < 5 * error).all()


@pytest.mark.parametrize(("future", "chained"), KINDS)
def test_posterior_sees_what_it_may_see(future, chained):
    model, x, noise = state_space(future, chained)
    x.requires_grad_()
    noise.requires_grad_()
    _, (mean, _) = model.infer(x, noise)
    mean[:, :, 4].sum().backward()
    assert (x.grad[:, :, :5] != 0).all()
    assert bool((x.grad[:, :, 5:] != 0).all()) is future
    assert bool((x.grad[:, :, 5:] == 0).all()) is not future
    earlier = torch.zeros(1) if noise.grad is None else noise.grad[:, :, :4].abs()
    assert bool(earlier.max() > 0) is chained


def test_prior_remembers_all_of_the_past_and_emission_only_the_present():
    model, _, z = state_space(False, False)
    z.requires_grad_()
    model.prior(z)[0][:, :, 4].sum().backward()
    assert (z.grad[:, :, :4] != 0).all()
    assert (z.grad[:, :, 4:] == 0).all()
    z.grad = None
    model.emission(z)[0][:, :, 4].sum().backward()
    assert (z.grad[:, :, 4] != 0).all()
    assert (z.grad[:, :, :4] == 0).all()


def test_roll_out_continues_the_path_by_the_prior():
    model, _, noise = state_space(False, False)
    calm_x = torch.zeros(2, 7, 11, 2)
    whole = model.roll_out(noise[:, :, :0], noise, calm_x)
    z, before = noise[:, :, :0], []
    for t in range(11):  # the prior itself, one step at a time
        padded = torch.cat([z, torch.zeros(2, 7, 1, 3)], dim=2)
        mean, log_sigma = model.prior(padded)
        z_t = mean[:, :, -1] + log_sigma[:, :, -1].exp() * noise[:, :, t]
        z = torch.cat([z, z_t[:, :, None]], dim=2)
        before.append(z)
    assert torch.allclose(whole, model.emission(z)[0], atol=1e-12)
    rest = model.roll_out(before[3], noise[:, :, 4:], calm_x[:, :, 4:])
    assert torch.allclose(rest, whole[:, :, 4:], atol=1e-12)


def test_sigma_stays_within_its_limits():
    mean, log_sigma = latent.gaussian(torch.tensor([0.3, 0.7, -1e4, 1e4]))
    assert mean.tolist() == [0.3, 0.7]
    assert log_sigma.tolist() == [-5.0, 2.0]
