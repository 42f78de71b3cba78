"""One training step of a model of letters: by hand in NumPy, and with torch.

Both read the same window of 78 letters as one-hot vectors, predict the next letter, and
go through cross-entropy, clipping and Adam. Both start from the same weights.
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from course_lib import numpy_cells as cells
from course_lib.numpy_cells import text, torch_weights

V = 78  # letters, as in course_lib.data.shakespeare
RATE, LIMIT = 1e-3, 1.0
Step = Callable[[], tuple]  # one step; returns loss, dW_h, dW_y


def both(kind: str, B: int, T: int, d: int) -> tuple[Step, Step]:
    """The step in NumPy and the step in torch, for nn.RNN or nn.LSTM of width d."""
    torch.manual_seed(0)
    module, linear = getattr(nn, kind)(V, d, batch_first=True), nn.Linear(d, V)
    nn.init.zeros_(module.bias_hh_l0).requires_grad_(False)  # ours has one bias
    numbers = np.random.default_rng(0).integers(0, V, B * T + 1)
    window = next(text.windows(numbers, B, T))
    weights = torch_weights.from_torch(module)
    readout = text.Readout(*(p.detach().numpy().copy() for p in linear.parameters()))
    ours = numpy_step(kind, weights, readout, *window)
    return ours, torch_step(module, linear, *map(torch.tensor, window))


def numpy_step(kind: str, weights, readout: text.Readout, inputs, targets) -> Step:
    forward = getattr(cells, f"{kind.lower()}_forward")
    backward = getattr(cells, f"{kind.lower()}_backward")
    adam = text.Adam(text.arrays(weights, readout), RATE)

    def step() -> tuple:
        h, *_, cache = forward(weights, text.one_hot(inputs, V))
        loss, d_readout, dh = text.readout_loss(readout, h, targets)
        d_weights, *_ = backward(weights, cache, dh)
        gradients = text.arrays(d_weights, d_readout)
        text.clip(gradients, LIMIT)
        adam.step(gradients)
        return np.float32(loss), d_weights.W_h, d_readout.W_y

    return step


def torch_step(module: nn.RNNBase, linear: nn.Linear, inputs, targets) -> Step:
    learnt = [p for m in (module, linear) for p in m.parameters() if p.requires_grad]
    adam = torch.optim.Adam(learnt, RATE)

    def step() -> tuple:
        adam.zero_grad()
        h, _ = module(F.one_hot(inputs, V).float())
        loss = F.cross_entropy(linear(h).flatten(0, 1), targets.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(learnt, LIMIT)
        adam.step()
        return loss, module.weight_hh_l0.grad, linear.weight.grad

    return step
