r"""A recurrent language model: embedding, LSTM, read-out. Lecture 06.

$$h_t, c_t = \text{LSTM}(E_{x_t}, h_{t-1}, c_{t-1}), \qquad
p(x_{t+1} = v \mid x_{\le t}) = \text{softmax}(W_y h_t + b_y)_v$$

`read_along` trains it on one long row of tokens by truncated back-propagation through
time, `nats_per_token` judges it, `write` lets it continue a text. Lecture 06 builds all
four; 06c and the exercises use them from here.
"""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor, nn
from torch.nn import functional as F

State = tuple[Tensor, Tensor]  # h and c of the LSTM, (1, B, d_h) each
Choose = Callable[[Tensor], Tensor]  # logits (B, V) -> probabilities (B, V)


class LanguageModel(nn.Module):
    """tokens (B, T) -> logits (B, T, V), and the state to go on from."""

    def __init__(self, V: int, d_embedding: int, d_h: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(V, d_embedding)
        self.lstm = nn.LSTM(d_embedding, d_h, batch_first=True)
        self.read_out = nn.Linear(d_h, V)

    def forward(
        self, tokens: Int[Tensor, "B T"], state: State | None = None
    ) -> tuple[Float[Tensor, "B T V"], State]:
        h, after = self.lstm(self.embedding(tokens), state)
        return self.read_out(h), after


def read_along(
    model: nn.Module, tokens: Int[Tensor, " N"], rows: int, chunk: int
) -> Callable[[int], Tensor]:
    """A loss for `train`: the next chunk of every row, with the state carried over.

    The gradient stops at the border of a chunk. After the last chunk the first follows
    again, with an empty state.
    """
    if len(tokens) // rows < chunk + 1:
        raise ValueError(
            f"{len(tokens)} tokens are too few for {rows} rows of {chunk} and a last "
            "target"
        )
    data = tokens[: len(tokens) // rows * rows].view(rows, -1)
    state, place = None, 0

    def loss(_step: int) -> Tensor:
        nonlocal state, place
        if place + chunk + 1 > data.shape[1]:
            state, place = None, 0
        x = data[:, place : place + chunk + 1]
        place += chunk
        logits, after = model(x[:, :-1], state)
        state = tuple(part.detach() for part in after)
        return F.cross_entropy(logits.flatten(0, 1), x[:, 1:].flatten())

    return loss


@torch.no_grad()
def nats_per_token(model: nn.Module, tokens: Int[Tensor, " N"]) -> float:
    """Mean of -ln p of every token but the first, read from left to right."""
    logits, _ = model(tokens[None, :-1])
    return F.cross_entropy(logits[0], tokens[1:]).item()


@torch.no_grad()
def write(
    model: nn.Module,
    start: Int[Tensor, "B T"],
    length: int,
    choose: Choose,
    generator: Generator,
) -> Int[Tensor, "B length"]:
    """Continue `start` by so many tokens, each drawn and fed back."""
    logits, state = model(start)
    written = []
    for _ in range(length):
        p = choose(logits[:, -1])
        written.append(torch.multinomial(p, 1, generator=generator))
        logits, state = model(written[-1], state)
    return torch.cat(written, dim=1)
