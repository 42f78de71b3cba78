r"""Layers made of cells: one direction, both directions, stacks. Lecture 05.

    encoder = stack(LSTMCell, d_x=5, d_h=7, layers=2, bidirectional=True)
    h, state = encoder(x)              # x (B, T, 5) -> h (B, T, 14)

The state of a whole is the tuple of the states of its parts: of a `Layer` the state of
its cell, `(h,)` or `(h, c)`; of `Bidirectional` the pair (forward, backward); of a
`Stack` one entry per layer. What a module returns it also accepts as the initial state.
"""

from collections.abc import Iterable
from typing import Any, cast

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.models.cells import (
    Cell,
    CoupledLSTMCell,
    GRUCell,
    LSTMCell,
    PeepholeLSTMCell,
    RNNCell,
    State,
)
from course_lib.numpy_cells import torch_weights
from course_lib.shapes import check_shape

__all__ = [
    "Bidirectional",
    "Cell",
    "CoupledLSTMCell",
    "GRUCell",
    "LSTMCell",
    "Layer",
    "PeepholeLSTMCell",
    "RNNCell",
    "Stack",
    "State",
    "cells_of",
    "from_torch",
    "stack",
]


class Layer(nn.Module):
    """A cell over time; with `reverse` from the last step to the first.

    Either way `h[:, t]` belongs to `x[:, t]`. Forward it has seen steps <= t, in
    reverse steps >= t: both include t.
    """

    def __init__(self, cell: Cell, reverse: bool = False) -> None:
        super().__init__()
        self.cell, self.reverse = cell, reverse
        self.d_in, self.d_out = cell.d_x, cell.d_h

    def forward(
        self, x: Float[Tensor, "B T d_in"], state: State | None = None
    ) -> tuple[Float[Tensor, "B T d_out"], State]:
        if not self.reverse:
            return self.cell.run(x, state)
        check_shape("x", x, "B T d_x", "batch, time, dim", d_x=self.d_in)
        h, state = self.cell.run(x.flip(1), state)
        return h.flip(1), state


class Bidirectional(nn.Module):
    """Two cells side by side, one per direction, outputs concatenated.

    A parallel pair, as torch's `bidirectional=True`. (The other architecture of that
    name, a stack whose layers alternate in direction, is a Stack of Layers.)
    """

    def __init__(self, forward_cell: Cell, backward_cell: Cell) -> None:
        super().__init__()
        if forward_cell.d_x != backward_cell.d_x:
            raise ValueError(
                f"the two directions read d_x={forward_cell.d_x} and "
                f"d_x={backward_cell.d_x}: both must read the same input"
            )
        self.forward_layer = Layer(forward_cell)
        self.backward_layer = Layer(backward_cell, reverse=True)
        self.d_in, self.d_out = forward_cell.d_x, forward_cell.d_h + backward_cell.d_h

    def forward(
        self, x: Float[Tensor, "B T d_in"], state: tuple[State, State] | None = None
    ) -> tuple[Float[Tensor, "B T d_out"], tuple[State, State]]:
        state_f, state_b = parts(state, 2, "forward and backward")
        h_f, state_f = self.forward_layer(x, state_f)
        h_b, state_b = self.backward_layer(x, state_b)
        return torch.cat([h_f, h_b], dim=2), (state_f, state_b)


class Stack(nn.Module):
    """Layers one above the other: each reads what the one below shows."""

    def __init__(self, *layers: Layer | Bidirectional) -> None:
        super().__init__()
        if not layers:
            raise ValueError("Stack() has no layers: a stack needs at least one layer")
        for n, (below, above) in enumerate(zip(layers, layers[1:], strict=False)):
            if below.d_out != above.d_in:
                raise ValueError(
                    f"layer {n} shows {below.d_out} values per step, but layer {n + 1} "
                    f"reads {above.d_in}: the widths must agree"
                )
        self.layers = nn.ModuleList(layers)
        self.d_in, self.d_out = layers[0].d_in, layers[-1].d_out

    def forward(
        self, x: Float[Tensor, "B T d_in"], state: tuple | None = None
    ) -> tuple[Float[Tensor, "B T d_out"], tuple]:
        last = []
        for layer, start in zip(
            self.layers, parts(state, len(self.layers), "one per layer"), strict=True
        ):
            x, end = layer(x, start)
            last.append(end)
        return x, tuple(last)


def parts(state: tuple | None, n: int, what: str) -> tuple:
    """The states of the n parts; None for each if there is none."""
    if state is None:
        return (None,) * n
    if len(state) != n:
        raise ValueError(f"state has {len(state)} parts, expected {n}: {what}")
    return tuple(state)


def stack(
    cell: type[Cell],
    d_x: int,
    d_h: int,
    layers: int = 1,
    bidirectional: bool = False,
    **options: Any,
) -> Stack:
    """Equal layers of one kind of cell; `options` go to every cell, as bias=False."""
    if layers < 1:
        raise ValueError(f"layers={layers}: a stack needs at least one layer")
    made, d_in = [], d_x
    for _ in range(layers):
        if bidirectional:
            made.append(
                Bidirectional(cell(d_in, d_h, **options), cell(d_in, d_h, **options))
            )
        else:
            made.append(Layer(cell(d_in, d_h, **options)))
        d_in = made[-1].d_out
    return Stack(*made)


def from_torch(module: nn.RNNBase) -> Stack:
    """The stack that computes the same as an nn.RNN, nn.LSTM or nn.GRU, weights copied.

    Blocks are put into our order and torch's two biases are added up; see
    numpy_cells/torch_weights.py. Batch first, whatever `module.batch_first` says.
    """
    options = {
        "RNN": {"activation": getattr(module, "nonlinearity", "tanh")},
        "LSTM": {},
        "GRU": {"flipped": True, "reset_after": True},
    }
    kind = torch_weights.kind_of(module)
    made = stack(
        {"RNN": RNNCell, "LSTM": LSTMCell, "GRU": GRUCell}[kind],
        module.input_size,
        module.hidden_size,
        module.num_layers,
        module.bidirectional,
        bias=module.bias,
        **options[kind],
    ).to(next(module.parameters()))
    layers = cast("Iterable[Layer | Bidirectional]", made.layers)
    for n, layer in enumerate(layers):
        for reverse, cell in enumerate(cells_of(layer)):
            weights = torch_weights.from_torch(module, n, bool(reverse))
            for name, parameter in cell.named_parameters():
                parameter.data.copy_(torch.from_numpy(getattr(weights, name)))
    return made


def cells_of(layer: Layer | Bidirectional) -> list[Cell]:
    """The cells of one layer: forward, then backward if there is one."""
    if isinstance(layer, Layer):
        return [layer.cell]
    return [layer.forward_layer.cell, layer.backward_layer.cell]
