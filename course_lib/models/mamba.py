r"""The mixer of Mamba on the course's scan (Gu and Dao, 2023). Lecture 17.

For every channel i of the width E and every number n of its state of size N:

$$h_t = e^{\Delta_t A} h_{t-1} + \Delta_t B_t x_t, \qquad y_t = C_t \cdot h_t + D x_t$$

where $\Delta_t$ (one for each channel), $B_t$ and $C_t$ (N numbers each) are computed
from $x_t$: they select. A convolution over the last few steps stands before it, a gate
after it. Names of parameters are those of transformers' MambaMixer.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.models.scan import scan


class MambaMixer(nn.Module):
    """x (B, T, d) -> (B, T, d); loads the weights of transformers' mixer."""

    def __init__(
        self,
        d_model: int,
        expand: int = 2,
        state: int = 16,
        conv: int = 4,
        rank: int = 1,
    ) -> None:
        super().__init__()
        E, self.sizes = expand * d_model, [rank, state, state]
        self.in_proj = nn.Linear(d_model, 2 * E, bias=False)
        self.conv1d = nn.Conv1d(E, E, conv, groups=E, padding=conv - 1)
        self.x_proj = nn.Linear(E, sum(self.sizes), bias=False)
        self.dt_proj = nn.Linear(rank, E)
        self.A_log = nn.Parameter(torch.arange(1, state + 1).log().repeat(E, 1))
        self.D = nn.Parameter(torch.ones(E))
        self.out_proj = nn.Linear(E, d_model, bias=False)
        step = torch.empty(E).uniform_(-6.9, -2.3).exp()  # from 0.001 to 0.1
        self.dt_proj.bias.data = step + torch.log(-torch.expm1(-step))

    def forward(self, u: Float[Tensor, "B T d"]) -> Float[Tensor, "B T d"]:
        T = u.shape[1]
        x, gate = self.in_proj(u).chunk(2, dim=-1)
        x = F.silu(self.conv1d(x.mT)[..., :T].mT)  # (B, T, E), looks back only
        raw, B, C = self.x_proj(x).split(self.sizes, dim=-1)
        delta = F.softplus(self.dt_proj(raw))[..., None]  # (B, T, E, 1)
        a = torch.exp(-self.A_log.exp() * delta)  # (B, T, E, N)
        h = scan(a, delta * B[:, :, None] * x[..., None])
        y = (h * C[:, :, None]).sum(-1) + self.D * x
        return self.out_proj(y * F.silu(gate))
