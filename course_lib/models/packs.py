r"""Packs: several small networks of one shape, trained at once. Lectures 05 and 16b.

Every weight has one more axis in front, `(nets, d_in, d_out)`, and so has every input,
`(nets, B, ..., d_in)`; one matrix product then serves all networks. They do not see one
another: the gradient of a sum of losses by the weights of network 3 contains only the
loss of network 3. A single network is a pack of one.
"""

import torch
from jaxtyping import Float
from torch import Generator, Tensor, nn

State = tuple[Tensor, Tensor]


def uniform(generator: Generator, bound: float, *shape: int) -> nn.Parameter:
    """Weights drawn evenly from -bound..bound."""
    drawn = torch.rand(shape, generator=generator, dtype=torch.float64)
    return nn.Parameter(((2 * drawn - 1) * bound).to(torch.get_default_dtype()))


class Linear(nn.Module):
    r"""$y = W x + b$ in every network; x (nets, ..., d_in) -> (nets, ..., d_out)."""

    def __init__(self, nets: int, d_in: int, d_out: int, generator: Generator) -> None:
        super().__init__()
        self.W = uniform(generator, d_in**-0.5, nets, d_in, d_out)  # transposed
        self.b = nn.Parameter(torch.zeros(nets, 1, d_out))

    def forward(self, x: Float[Tensor, "n *rest i"]) -> Float[Tensor, "n *rest o"]:
        nets, d_in, _ = self.W.shape
        if len(x) != nets or x.shape[-1] != d_in:
            raise ValueError(
                f"input of shape {tuple(x.shape)}: expected {nets} networks in front "
                f"and {d_in} values at the end"
            )
        rows = x.reshape(nets, -1, d_in)
        y = torch.baddbmm(self.b, rows, self.W)
        return y.reshape(*x.shape[:-1], -1)


class LSTM(nn.Module):
    r"""An LSTM in every network; x (nets, B, T, d_x) -> h (nets, B, T, d_h).

    $c_t = f \odot c_{t-1} + i \odot \tilde c$, $h_t = o \odot \tanh(c_t)$; the blocks
    of d_h columns stand in the order c_tilde, f, i, o. The forget gate starts open.
    """

    def __init__(self, nets: int, d_x: int, d_h: int, generator: Generator) -> None:
        super().__init__()
        self.nets, self.d_h = nets, d_h
        self.W_x = Linear(nets, d_x, 4 * d_h, generator)
        self.W_h = uniform(generator, d_h**-0.5, nets, d_h, 4 * d_h)  # transposed
        self.W_x.b.data[..., d_h : 2 * d_h] = 1.0

    def start(self, batch: int) -> State:
        """h_0 = c_0 = 0 for every network and sequence."""
        zeros = self.W_h.new_zeros(self.nets, batch, self.d_h)
        return zeros, zeros

    def step(self, a_x: Float[Tensor, "n B rows"], state: State) -> State:
        """One step, given its projected input W_x x_t + b."""
        h, c = state
        a = torch.baddbmm(a_x, h, self.W_h)
        c_tilde = torch.tanh(a[..., : self.d_h])
        f, i, o = torch.sigmoid(a[..., self.d_h :]).chunk(3, dim=-1)
        c = f * c + i * c_tilde
        return o * torch.tanh(c), c

    def forward(
        self, x: Float[Tensor, "n B T d"], state: State | None = None
    ) -> Float[Tensor, "n B T h"]:
        """All hidden states, started from `state` or from zeros."""
        state = state or self.start(x.shape[1])
        shown = []
        for a_x in self.W_x(x).unbind(2):
            state = self.step(a_x, state)
            shown.append(state[0])
        return torch.stack(shown, dim=2)

    def reversed(self, x: Float[Tensor, "n B T d"]) -> Float[Tensor, "n B T h"]:
        """From the last step to the first; the state at t has seen steps >= t."""
        return self(x.flip(2)).flip(2)
