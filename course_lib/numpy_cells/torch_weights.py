r"""Weights from torch, so that "our cell equals torch.nn" is one line.

torch differs from the course in two ways, both harmless once known:
- two biases per block, `bias_ih` and `bias_hh`; only their sum matters (except for the
  candidate of the GRU, where the second one stands inside the product with r);
- the order of the blocks:

| cell | torch      | course           |
|------|------------|------------------|
| LSTM | i, f, g, o | c_tilde, f, i, o |
| GRU  | r, z, n    | h_tilde, z, r    |

(g and n are torch's names for the candidates.) A GRU with torch's weights must run with
`flipped=True, reset_after=True`.
"""

from typing import overload

import numpy as np
from torch import nn

from course_lib.numpy_cells.gru import GRUWeights
from course_lib.numpy_cells.lstm import LSTMWeights
from course_lib.numpy_cells.rnn import RNNWeights

Weights = RNNWeights | LSTMWeights | GRUWeights

# where each of our blocks stands in torch
ORDER = {"RNN": (0,), "LSTM": (2, 1, 0, 3), "GRU": (2, 1, 0)}
CLASSES = {"RNN": RNNWeights, "LSTM": LSTMWeights, "GRU": GRUWeights}


@overload
def from_torch(module: nn.RNN, layer: int = 0, reverse: bool = False) -> RNNWeights: ...
@overload
def from_torch(
    module: nn.LSTM, layer: int = 0, reverse: bool = False
) -> LSTMWeights: ...
@overload
def from_torch(module: nn.GRU, layer: int = 0, reverse: bool = False) -> GRUWeights: ...
@overload
def from_torch(
    module: nn.RNNBase, layer: int = 0, reverse: bool = False
) -> Weights: ...


def from_torch(module: nn.RNNBase, layer: int = 0, reverse: bool = False) -> Weights:
    """The weights of one layer and direction of nn.RNN, nn.LSTM or nn.GRU, copied."""
    kind = kind_of(module)
    suffix = f"l{layer}_reverse" if reverse else f"l{layer}"

    def array(name: str) -> np.ndarray:
        value = getattr(module, f"{name}_{suffix}").detach().cpu().numpy()
        return _reorder(value, kind)

    W_x, W_h = array("weight_ih"), array("weight_hh")
    b_h, b_hh = np.zeros_like(W_x[:, 0]), np.zeros_like(W_x[:, 0])
    if module.bias:
        b_h, b_hh = array("bias_ih"), array("bias_hh")
    if kind != "GRU":
        return CLASSES[kind](W_x, W_h, b_h + b_hh)
    d_h = module.hidden_size
    b_h[d_h:] += b_hh[d_h:]  # the candidate's second bias stays apart
    return GRUWeights(W_x, W_h, b_h, b_hh[:d_h].copy())


def _reorder(array: np.ndarray, kind: str) -> np.ndarray:
    """The blocks of rows in our order; always a copy."""
    parts = np.split(array, len(ORDER[kind]))
    return np.concatenate([parts[k] for k in ORDER[kind]])


def kind_of(module: nn.RNNBase) -> str:
    """The name in ORDER; a ValueError for a module that our cells cannot stand for."""
    kind = type(module).__name__
    if kind not in ORDER:
        raise ValueError(f"expected nn.RNN, nn.LSTM or nn.GRU, got {kind}")
    if getattr(module, "proj_size", 0):
        raise ValueError(f"proj_size={module.proj_size}: our cells have no projection")
    return kind
