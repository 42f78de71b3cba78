"""Recurrent cells in NumPy, forward and backward by hand, one file each.

Read them in this order: rnn, gates, lstm, lstm_coupled, lstm_peephole, gru. `arrays`
holds what they share, `text` what makes one of them learn a text. `torch_weights`,
which is not imported here because importing torch takes a while, carries weights over
from torch.

Each cell has frozen `…Weights` (also used for gradients), a `…_forward`, which returns
a cache, and a `…_backward`, which takes it. Arrays are (B, T, d), float32 or float64,
and the dtype is kept. No function changes an array it is given. A batch of 0 sequences
works; a sequence of 0 steps gives empty outputs and leaves the initial state as it is.
"""

from course_lib.numpy_cells.gru import GRUWeights, gru_backward, gru_forward
from course_lib.numpy_cells.lstm import LSTMWeights, lstm_backward, lstm_forward
from course_lib.numpy_cells.lstm_coupled import (
    CoupledWeights,
    coupled_backward,
    coupled_forward,
)
from course_lib.numpy_cells.lstm_peephole import (
    PeepholeWeights,
    peephole_backward,
    peephole_forward,
)
from course_lib.numpy_cells.rnn import RNNWeights, rnn_backward, rnn_forward

__all__ = [
    "CoupledWeights",
    "GRUWeights",
    "LSTMWeights",
    "PeepholeWeights",
    "RNNWeights",
    "coupled_backward",
    "coupled_forward",
    "gru_backward",
    "gru_forward",
    "lstm_backward",
    "lstm_forward",
    "peephole_backward",
    "peephole_forward",
    "rnn_backward",
    "rnn_forward",
]
