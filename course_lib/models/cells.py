r"""Recurrent cells in torch: the same equations as numpy_cells, gradients by autograd.

A cell knows one step, `state = cell(x_t, state)`, and how to run over a sequence,
`h, state = cell.run(x, state)`. A state is a tuple: `(h,)`, or `(h, c)` for the LSTMs;
its first entry is what the cell shows. Without a state the cell starts from zeros.
Shapes: x_t (B, d_x), x (B, T, d_x), h (B, T, d_h). A sequence of 0 steps gives an empty
h and the initial state unchanged (torch.nn raises an error there); a batch of 0
sequences works.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.models.lstm_by_hand import LSTMByHand
from course_lib.shapes import check_shape

State = tuple[Tensor, ...]


class Cell(nn.Module):
    r"""What all cells share: stacked weights, the projection $W_x x_t + b_h$, the loop.

    Blocks of d_h rows stand in the order of `names`, the candidate first.
    """

    names: tuple[str, ...] = ()
    state_names: tuple[str, ...] = ("h",)

    def __init__(self, d_x: int, d_h: int, bias: bool = True) -> None:
        super().__init__()
        self.d_x, self.d_h = d_x, d_h
        rows = len(self.names) * d_h
        self.W_x = self.new_parameter(rows, d_x)
        self.W_h = self.new_parameter(rows, d_h)
        self.b_h = self.new_parameter(rows) if bias else None

    def new_parameter(self, *shape: int) -> nn.Parameter:
        r"""Uniform in $\pm 1/\sqrt{d_h}$, as torch.nn draws its recurrent weights."""
        bound = self.d_h**-0.5
        return nn.Parameter(torch.empty(shape).uniform_(-bound, bound))

    def rows(self, name: str) -> slice:
        """Where a block stands: `cell.b_h.data[cell.rows("f")] = 1` opens f."""
        if name not in self.names:
            raise ValueError(f"no block {name!r}: this cell has {self.names}")
        start = self.names.index(name) * self.d_h
        return slice(start, start + self.d_h)

    def project(self, x: Float[Tensor, "*batch d_x"]) -> Float[Tensor, "*batch rows"]:
        """W_x x_t + b_h, for one step or for all steps at once."""
        return F.linear(x, self.W_x, self.b_h)

    def step(self, a_x: Float[Tensor, "B rows"], state: State) -> State:
        """One step, given its projected input."""
        raise NotImplementedError

    def forward(self, x_t: Float[Tensor, "B d_x"], state: State | None = None) -> State:
        check_shape("x_t", x_t, "B d_x", "one step of each sequence", d_x=self.d_x)
        return self.step(self.project(x_t), self.start(x_t, state))

    def unroll(
        self, x: Float[Tensor, "B T d_x"], state: State | None = None
    ) -> tuple[Float[Tensor, "B T d_h"], State]:
        """Step by step over time, every step recorded by autograd."""
        check_shape("x", x, "B T d_x", "batch, time, dim", d_x=self.d_x)
        state = self.start(x, state)
        shown = []
        for a_x in self.project(x.transpose(0, 1)).unbind(0):
            state = self.step(a_x, state)
            shown.append(state[0])
        if not shown:
            return x.new_empty(len(x), 0, self.d_h), state
        return torch.stack(shown, dim=1), state

    def run(
        self, x: Float[Tensor, "B T d_x"], state: State | None = None
    ) -> tuple[Float[Tensor, "B T d_h"], State]:
        """`unroll`, or something faster that gives the same numbers."""
        return self.unroll(x, state)

    def start(self, x: Tensor, state: State | None) -> State:
        """The given state, checked, or zeros."""
        names, B = self.state_names, len(x)
        if state is None:
            return tuple(x.new_zeros(B, self.d_h) for _ in names)
        if isinstance(state, Tensor):
            raise ValueError(
                f"the state must be a tuple {names}, got a Tensor of shape "
                f"{tuple(state.shape)}: with one entry it is written (h,)"
            )
        if len(state) != len(names):
            raise ValueError(
                f"state has {len(state)} parts of shapes "
                f"{[tuple(part.shape) for part in state]}, expected a tuple {names}"
            )
        for name, part in zip(names, state, strict=True):
            check_shape(
                name, part, "B d_h", "one vector per sequence", B=B, d_h=self.d_h
            )
        return state


class RNNCell(Cell):
    r"""$h_t = \phi(W_x x_t + W_h h_{t-1} + b_h)$ with $\phi$ tanh or relu."""

    names = ("h",)

    def __init__(
        self, d_x: int, d_h: int, bias: bool = True, activation: str = "tanh"
    ) -> None:
        super().__init__(d_x, d_h, bias)
        if activation not in ("tanh", "relu"):
            raise ValueError(f"activation is {activation!r}, expected 'tanh' or 'relu'")
        self.activation = activation

    def step(self, a_x: Tensor, state: State) -> State:
        (h,) = state
        a = torch.addmm(a_x, h, self.W_h.T)
        return (torch.tanh(a) if self.activation == "tanh" else torch.relu(a),)


class LSTMCell(Cell):
    r"""$c_t = f \odot c_{t-1} + i \odot \tilde c$ and $h_t = o \odot \tanh(c_t)$."""

    names = ("c_tilde", "f", "i", "o")
    state_names = ("h", "c")

    def step(self, a_x: Tensor, state: State) -> State:
        h, c = state
        a = torch.addmm(a_x, h, self.W_h.T)
        c_tilde = torch.tanh(a[:, : self.d_h])
        f, i, o = torch.sigmoid(a[:, self.d_h :]).chunk(3, dim=1)
        c = f * c + i * c_tilde
        return o * torch.tanh(c), c

    def run(self, x: Tensor, state: State | None = None) -> tuple[Tensor, State]:
        """The whole sequence with the backward pass written by hand."""
        check_shape("x", x, "B T d_x", "batch, time, dim", d_x=self.d_x)
        h_0, c_0 = self.start(x, state)
        h, h_T, c_T = LSTMByHand.apply(x, h_0, c_0, self.W_x, self.W_h, self.b_h)
        return h, (h_T, c_T)


class CoupledLSTMCell(Cell):
    r"""$i = 1 - f$: $c_t = f \odot c_{t-1} + (1 - f) \odot \tilde c$."""

    names = ("c_tilde", "f", "o")
    state_names = ("h", "c")

    def step(self, a_x: Tensor, state: State) -> State:
        h, c = state
        a = torch.addmm(a_x, h, self.W_h.T)
        c_tilde = torch.tanh(a[:, : self.d_h])
        f, o = torch.sigmoid(a[:, self.d_h :]).chunk(2, dim=1)
        c = f * c + (1 - f) * c_tilde
        return o * torch.tanh(c), c


class PeepholeLSTMCell(Cell):
    r"""Diagonal peepholes: f and i also see $c_{t-1}$, o sees the new $c_t$."""

    names = ("c_tilde", "f", "i", "o")
    state_names = ("h", "c")

    def __init__(self, d_x: int, d_h: int, bias: bool = True) -> None:
        super().__init__(d_x, d_h, bias)
        self.p_f, self.p_i, self.p_o = (self.new_parameter(d_h) for _ in range(3))

    def step(self, a_x: Tensor, state: State) -> State:
        h, c = state
        a_c, a_f, a_i, a_o = torch.addmm(a_x, h, self.W_h.T).chunk(4, dim=1)
        f = torch.sigmoid(a_f + self.p_f * c)
        i = torch.sigmoid(a_i + self.p_i * c)
        c = f * c + i * torch.tanh(a_c)
        o = torch.sigmoid(a_o + self.p_o * c)
        return o * torch.tanh(c), c


class GRUCell(Cell):
    r"""$h_t = (1 - z) \odot h_{t-1} + z \odot \tilde h$, and the other conventions.

    `flipped` swaps z and 1 - z; `reset_after` multiplies by r after the product with
    W_h instead of before. torch.nn.GRU does both, and has one more bias, b_inner.
    """

    names = ("h_tilde", "z", "r")

    def __init__(
        self,
        d_x: int,
        d_h: int,
        bias: bool = True,
        flipped: bool = False,
        reset_after: bool = False,
    ) -> None:
        super().__init__(d_x, d_h, bias)
        self.flipped, self.reset_after = flipped, reset_after
        self.b_inner = self.new_parameter(d_h) if bias and reset_after else None

    def step(self, a_x: Tensor, state: State) -> State:
        (h,), d_h = state, self.d_h
        a_h, a_gates = a_x.split((d_h, 2 * d_h), dim=1)
        if self.reset_after:
            p_h, p_gates = (h @ self.W_h.T).split((d_h, 2 * d_h), dim=1)
            z, r = torch.sigmoid(a_gates + p_gates).chunk(2, dim=1)
            inner = p_h if self.b_inner is None else p_h + self.b_inner
            h_tilde = torch.tanh(torch.addcmul(a_h, r, inner))
        else:
            W_candidate, W_gates = self.W_h.split((d_h, 2 * d_h))
            z, r = torch.sigmoid(torch.addmm(a_gates, h, W_gates.T)).chunk(2, dim=1)
            h_tilde = torch.tanh(torch.addmm(a_h, r * h, W_candidate.T))
        # lerp(start, end, w) = start + w (end - start) = (1 - w) start + w end
        h = torch.lerp(h_tilde, h, z) if self.flipped else torch.lerp(h, h_tilde, z)
        return (h,)
