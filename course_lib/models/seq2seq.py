r"""Encoder and decoder: read a whole sequence into one state, write another from it.

$$v = (h_T, c_T) = \text{enc}(x_{1:T}), \qquad
p(y_{1:T'} \mid x_{1:T}) = \prod_{t=1}^{T'} p(y_t \mid y_{<t}, v), \qquad
y_{T'} = \text{<eos>}$$

The decoder is an LSTM that starts from $v$ and reads the token before. Lecture 07
builds it; lecture 08 lets `step` look back at `Memory.states`, which is why every step
is given the memory and returns its weights. Rows of tokens are padded (vocabulary.py).

Shapes: source (B, T), target (B, T'), both int64 with <eos> before the padding.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_lib.data.vocabulary import PAD, lengths
from course_lib.models.losses import masked_cross_entropy, shifted

State = tuple[Tensor, Tensor]  # h and c, each (B, d_h)
AnyLSTM = TypeVar("AnyLSTM", nn.LSTM, nn.LSTMCell)


class Memory(NamedTuple):
    """What the encoder leaves behind; a tuple, so that a search can pick rows."""

    states: Float[Tensor, "B T d_h"]  # h of every step; zero on padding
    mask: Bool[Tensor, "B T"]  # True where there is a token
    last: State  # h and c after the last token of each row: the vector v


class Step(NamedTuple):
    """One step of the decoder."""

    log_p: Tensor  # (B, V) log-probabilities of the next token
    state: State
    weights: Tensor | None = None  # (B, T) what it looked at, if it looks


class Encoder(nn.Module):
    """Embeddings and an LSTM; `reverse` reads every row from its last token on.

    <eos> stays at the end of the row either way, padding is not read at all.
    """

    def __init__(
        self, vocab_size: int, d_e: int, d_h: int, reverse: bool = False
    ) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab_size, d_e, padding_idx=PAD)
        self.lstm = remembering(nn.LSTM(d_e, d_h, batch_first=True))
        self.reverse = reverse

    def forward(self, source: Int[Tensor, "B T"]) -> Memory:
        count = lengths(source)
        if len(source) == 0 or int(count.min()) == 0:
            raise ValueError(
                f"source of shape {tuple(source.shape)} has an empty row: every row "
                "needs at least <eos>, otherwise there is no last state"
            )
        tokens = reversed_rows(source) if self.reverse else source
        packed = pack_padded_sequence(
            self.embed(tokens), count, batch_first=True, enforce_sorted=False
        )
        out, (h, c) = self.lstm(packed)
        states, _ = pad_packed_sequence(
            out, batch_first=True, total_length=source.shape[1]
        )
        return Memory(states, source != PAD, (h[0], c[0]))


class Seq2Seq(nn.Module):
    """The plain encoder-decoder: all the decoder knows of the source is `memory.last`.

    reverse  the encoder reads the source backwards (Sutskever and others, 2014)
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
        d_e: int = 32,
        d_h: int = 64,
        reverse: bool = False,
    ) -> None:
        super().__init__()
        self.encode = Encoder(source_vocab_size, d_e, d_h, reverse)
        self.embed = nn.Embedding(target_vocab_size, d_e)
        self.lstm = remembering(nn.LSTM(d_e, d_h, batch_first=True))
        self.read_out = nn.Linear(d_h, target_vocab_size)

    def start(self, memory: Memory) -> State:
        """The decoder's first state: the encoder's last."""
        return memory.last

    def step(self, previous: Int[Tensor, " B"], state: State, memory: Memory) -> Step:
        """The token before and the state before -> log p of the next, new state."""
        logits, state = self._run(previous[:, None], state)
        return Step(F.log_softmax(logits[:, 0], dim=1), state)

    def decoder(self, source: Int[Tensor, "B T"]) -> tuple[Callable, tuple]:
        """`step, state` for the searches of course_lib.search, one row per sentence."""
        memory = self.encode(source)

        def step(previous: Tensor, state: tuple) -> tuple[Tensor, tuple]:
            own, seen = state
            made = self.step(previous, own, seen)
            return made.log_p, (made.state, seen)

        return step, (self.start(memory), memory)

    def forward(
        self, source: Int[Tensor, "B T"], target: Int[Tensor, "B U"]
    ) -> Float[Tensor, "B U V"]:
        """Teacher forcing: logits of every target, given the true tokens before it."""
        state = self.start(self.encode(source))
        return self._run(shifted(target), state)[0]

    def _run(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Several tokens at once: (B, U) -> logits (B, U, V), and the state after."""
        h, c = state
        out, (h, c) = self.lstm(self.embed(tokens), (h[None], c[None]))
        return self.read_out(out), (h[0], c[0])

    def loss(self, source: Tensor, target: Tensor) -> Tensor:
        """Mean cross-entropy per target token, teacher forcing, padding left out."""
        return masked_cross_entropy(self(source, target), target)


def remembering(lstm: AnyLSTM) -> AnyLSTM:
    """The LSTM, or its cell, with forget gates that start open (lecture 04)."""
    rows = slice(lstm.hidden_size, 2 * lstm.hidden_size)  # torch's order: i, f, g, o
    for name, parameter in lstm.named_parameters():
        if name.startswith("bias"):
            parameter.data[rows] = 1.0 if "_ih" in name else 0.0
    return lstm


def reversed_rows(source: Int[Tensor, "B T"]) -> Int[Tensor, "B T"]:
    """Every row's tokens from last to first; <eos> and padding stay where they are."""
    steps = torch.arange(source.shape[1])
    count = lengths(source)[:, None] - 1  # without <eos>
    index = torch.where(steps < count, count - 1 - steps, steps.expand_as(source))
    return source.gather(1, index)
