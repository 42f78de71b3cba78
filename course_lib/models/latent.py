r"""Sequence models with latent variables, trained by the lower bound. Lecture 16b.

`SequenceVAE`       one z for the whole sequence; an LSTM started from z decodes.
`NeuralStateSpace`  one z_t per step; an LSTM over z_<t moves it, a network shows it.

Both return the two parts of $\log p(x) \ge E_q[\log p(x|z)] - KL[q(z|x) \| p(z)]$, one
number per network and sequence (and step). Arrays are (nets, B, T, d): see packs.py.
Random numbers come in as arguments, `z = mu + sigma * noise`, so a call is a function.
"""

import math

import torch
from jaxtyping import Float
from torch import Generator, Tensor, nn

from course_lib.models.packs import LSTM, Linear

Gaussian = tuple[Tensor, Tensor]  # mean and log of the standard deviation


def log_normal(x: Tensor, mean: Tensor, log_sigma: Tensor) -> Tensor:
    r"""$\log N(x; \mu, \operatorname{diag} \sigma^2)$, summed over the last axis."""
    scaled = (x - mean) * torch.exp(-log_sigma)
    return -(0.5 * scaled**2 + log_sigma + 0.5 * math.log(2 * math.pi)).sum(-1)


def kl_normal(q: Gaussian, p: Gaussian) -> Tensor:
    r"""$KL[q \| p]$ of two diagonal Gaussians, summed over the last axis.

    $\sum_i \log\frac{\sigma_p}{\sigma_q} + \frac{\sigma_q^2 + (\mu_q - \mu_p)^2}
    {2 \sigma_p^2} - \frac12$
    """
    (mean_q, log_q), (mean_p, log_p) = q, p
    ratio = torch.exp(2 * (log_q - log_p))
    distance = (mean_q - mean_p) ** 2 * torch.exp(-2 * log_p)
    return (log_p - log_q + 0.5 * (ratio + distance - 1)).sum(-1)


def gaussian(output: Tensor) -> Gaussian:
    """Split a network's output into mean and log sigma; sigma stays in e^-5 .. e^2."""
    mean, raw = output.chunk(2, dim=-1)
    return mean, -1.5 + 3.5 * torch.tanh(raw / 3.5)


def sample(q: Gaussian, noise: Tensor) -> Tensor:
    r"""The reparameterised draw $z = \mu + \sigma \odot \varepsilon$."""
    return q[0] + torch.exp(q[1]) * noise


class SequenceVAE(nn.Module):
    r"""One latent z for a whole sequence.

    q(z | x_1:T) from the last state of an LSTM; p(x_t | x_<t, z) by an LSTM whose first
    state is made from z; p(z) = N(0, I). The noise of x has one learned sigma.
    """

    def __init__(
        self, nets: int, d_x: int, d_z: int, d_h: int, generator: Generator
    ) -> None:
        super().__init__()
        self.d_x, self.d_z = d_x, d_z
        self.encoder = LSTM(nets, d_x, d_h, generator)
        self.to_z = Linear(nets, d_h, 2 * d_z, generator)
        self.from_z = Linear(nets, d_z, 2 * d_h, generator)
        self.decoder = LSTM(nets, d_x, d_h, generator)
        self.to_x = Linear(nets, d_h, d_x, generator)
        self.log_sigma_x = nn.Parameter(torch.zeros(nets, 1, 1, 1))

    def encode(self, x: Float[Tensor, "n B T d"]) -> Gaussian:
        """q(z | x): mean and log sigma, each (nets, B, d_z)."""
        return gaussian(self.to_z(self.encoder(x)[:, :, -1]))

    def first_state(self, z: Float[Tensor, "n B z"]) -> tuple[Tensor, Tensor]:
        """h_0 and c_0 of the decoder, made from z."""
        h, c = self.from_z(z).chunk(2, dim=-1)
        return torch.tanh(h), c

    def decode(self, x: Tensor, z: Tensor) -> Float[Tensor, "n B T d"]:
        """Means of p(x_t | x_<t, z); the decoder reads 0 before the first step."""
        before = torch.cat([torch.zeros_like(x[:, :, :1]), x[:, :, :-1]], dim=2)
        return self.to_x(self.decoder(before, self.first_state(z)))

    def terms(self, x: Tensor, noise: Float[Tensor, "n B z"]) -> tuple[Tensor, Tensor]:
        """log p(x | z) at one draw of z, and KL[q || p]; both (nets, B)."""
        q = self.encode(x)
        mean = self.decode(x, sample(q, noise))
        prior = torch.zeros_like(q[0]), torch.zeros_like(q[1])
        return log_normal(x, mean, self.log_sigma_x).sum(-1), kl_normal(q, prior)

    @torch.no_grad()
    def generate(
        self, z: Float[Tensor, "n B z"], noise: Float[Tensor, "n B T d"]
    ) -> Float[Tensor, "n B T d"]:
        """Sequences from z, each step read back in; noise 0 follows the means."""
        state, x_t, steps = self.first_state(z), torch.zeros_like(noise[:, :, 0]), []
        for noise_t in noise.unbind(2):
            state = self.decoder.step(self.decoder.W_x(x_t), state)
            x_t = self.to_x(state[0]) + torch.exp(self.log_sigma_x[:, 0]) * noise_t
            steps.append(x_t)
        return torch.stack(steps, dim=2)


class NeuralStateSpace(nn.Module):
    r"""One latent z_t per step with learned, non-linear dynamics.

    prior      $p(z_t | z_{<t})$: an LSTM reads $z_{t-1}$; $z_0 := 0$ gives $p(z_1)$
    emission   $p(x_t | z_t)$: a network of $z_t$ alone
    posterior  $q(z_t | \cdot)$ by what it may use:
               future  False: x_<=t (filtering), True: all of x (smoothing)
               chained False: nothing else, so q is a product over t;
                       True: also z_<t, through the state of the prior's LSTM
    """

    def __init__(
        self,
        nets: int,
        d_x: int,
        d_z: int,
        d_h: int,
        generator: Generator,
        future: bool = False,
        chained: bool = False,
    ) -> None:
        super().__init__()
        self.nets, self.d_z, self.future, self.chained = nets, d_z, future, chained
        self.dynamics = LSTM(nets, d_z, d_h, generator)
        self.to_prior = Linear(nets, d_h, 2 * d_z, generator)
        self.emit_1 = Linear(nets, d_z, d_h, generator)
        self.emit_2 = Linear(nets, d_h, 2 * d_x, generator)
        self.reader = LSTM(nets, d_x, d_h, generator)
        self.reader_back = LSTM(nets, d_x, d_h, generator) if future else None
        seen = d_h * (1 + future + chained)
        self.to_posterior = Linear(nets, seen, 2 * d_z, generator)

    def emission(self, z: Tensor) -> Gaussian:
        """p(x_t | z_t): mean and log sigma of x_t."""
        return gaussian(self.emit_2(torch.tanh(self.emit_1(z))))

    def read(self, x: Float[Tensor, "n B T d"]) -> Float[Tensor, "n B T e"]:
        """What the encoder knows at each step about x_<=t, or about all of x."""
        if self.reader_back is None:
            return self.reader(x)
        return torch.cat([self.reader(x), self.reader_back.reversed(x)], dim=-1)

    def prior(self, z: Float[Tensor, "n B T z"]) -> Gaussian:
        """p(z_t | z_<t) along a given path, all steps at once."""
        before = torch.cat([torch.zeros_like(z[:, :, :1]), z[:, :, :-1]], dim=2)
        return gaussian(self.to_prior(self.dynamics(before)))

    def infer(
        self, x: Float[Tensor, "n B T d"], noise: Float[Tensor, "n B T z"]
    ) -> tuple[Tensor, Gaussian]:
        """A path z drawn from q(z | x), and q's mean and log sigma along it."""
        seen = self.read(x)
        if not self.chained:
            q = gaussian(self.to_posterior(seen))
            return sample(q, noise), q
        state = self.dynamics.start(x.shape[1])
        z_t, paths, qs = torch.zeros_like(noise[:, :, 0]), [], []
        for seen_t, noise_t in zip(seen.unbind(2), noise.unbind(2), strict=True):
            state = self.dynamics.step(self.dynamics.W_x(z_t), state)
            correction = self.to_posterior(torch.cat([seen_t, state[0]], dim=-1))
            q_t = self.to_prior(state[0]) + correction  # starts from what is expected
            qs.append(q_t)
            z_t = sample(gaussian(q_t), noise_t)
            paths.append(z_t)
        return torch.stack(paths, dim=2), gaussian(torch.stack(qs, dim=2))

    def terms(
        self, x: Float[Tensor, "n B T d"], noise: Float[Tensor, "n B T z"]
    ) -> tuple[Float[Tensor, "n B T"], Float[Tensor, "n B T"]]:
        r"""Per step: $\log p(x_t|z_t)$ and $KL[q(z_t|\cdot) \| p(z_t|z_{<t})]$."""
        z, q = self.infer(x, noise)
        return log_normal(x, *self.emission(z)), kl_normal(q, self.prior(z))

    def log_joint(self, x: Tensor, z: Tensor) -> Float[Tensor, "n B"]:
        r"""$\sum_t \log p(z_t | z_{<t}) + \log p(x_t | z_t)$"""
        along = log_normal(z, *self.prior(z)) + log_normal(x, *self.emission(z))
        return along.sum(-1)

    @torch.no_grad()
    def roll_out(
        self,
        z: Float[Tensor, "n B t z"],
        noise_z: Float[Tensor, "n B T z"],
        noise_x: Float[Tensor, "n B T d"],
    ) -> Float[Tensor, "n B T d"]:
        """Continue after the path z (t may be 0) by the model's own dynamics."""
        before = torch.cat([z.new_zeros(*z.shape[:2], 1, self.d_z), z], dim=2)
        state, steps = self.dynamics.start(z.shape[1]), []
        for z_t in before.unbind(2):
            state = self.dynamics.step(self.dynamics.W_x(z_t), state)
        for noise_t in noise_z.unbind(2):
            z_t = sample(gaussian(self.to_prior(state[0])), noise_t)
            steps.append(z_t)
            state = self.dynamics.step(self.dynamics.W_x(z_t), state)
        return sample(self.emission(torch.stack(steps, dim=2)), noise_x)
