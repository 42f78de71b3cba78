r"""Transformer layers, and the encoder-decoder made of them. Lecture 10.

Each sub-layer (attention, then a feed-forward network) has a residual connection; its
norm stands before the sub-layer or after the sum, see residual.py.

    layer = EncoderLayer(d_model=64, heads=4, d_ff=256, norm_first=True)
    out = layer(x, mask)                    # out.output (B, N, d), out.weights
    out = layer(x_new, mask, past=kept)     # the keys and values of earlier positions

Masks are True where a query may look, as in attention.py. With `past` a layer is given
the keys and values of positions it has seen before, and only computes the new ones:
decoding a token then costs one row instead of the whole prefix.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, cast

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.data.vocabulary import PAD
from course_lib.models.attention import (
    Attended,
    Mask,
    MultiHeadAttention,
    causal_mask,
)
from course_lib.models.losses import masked_cross_entropy, shifted
from course_lib.models.positions import sinusoids
from course_lib.models.residual import residual, residual_and


class KeyValues(NamedTuple):
    """Keys and values of M positions; a tuple, so that a search can pick rows."""

    k: Float[Tensor, "B H M d_head"]
    v: Float[Tensor, "B H M d_head"]

    def followed_by(self, k: Tensor, v: Tensor) -> "KeyValues":
        return KeyValues(torch.cat([self.k, k], dim=2), torch.cat([self.v, v], dim=2))


class Layered(NamedTuple):
    """What a layer makes of its input, what it looked at, and what may be kept."""

    output: Float[Tensor, "B N d"]
    kept: KeyValues  # of self-attention, earlier positions included
    weights: Tensor | None = None  # (B, H, N, M) self-attention, if asked for
    cross_weights: Tensor | None = None  # (B, H, N, T), decoder layers only


class FeedForward(nn.Module):
    r"""$W_2\,\sigma(W_1 x + b_1) + b_2$ at every position alike; d -> d_ff -> d."""

    def __init__(self, d_model: int, d_ff: int, activation: Callable = F.relu) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = activation

    def forward(self, x: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch d"]:
        return self.second(self.activation(self.first(x)))


class EncoderLayer(nn.Module):
    """Self-attention, then a feed-forward network, each with residual and LayerNorm.

    With a causal mask this is also the layer of a decoder-only model such as GPT.
    """

    def __init__(
        self,
        d_model: int,
        heads: int,
        d_ff: int,
        norm_first: bool = True,
        activation: Callable = F.relu,
        eps: float = 1e-5,
    ) -> None:
        super().__init__()
        self.norm_first = norm_first
        self.attend = MultiHeadAttention(d_model, heads)
        self.feed = FeedForward(d_model, d_ff, activation)
        self.norm_attend = nn.LayerNorm(d_model, eps)
        self.norm_feed = nn.LayerNorm(d_model, eps)

    def forward(
        self,
        x: Float[Tensor, "B N d"],
        mask: Mask | None = None,
        past: KeyValues | None = None,
        need_weights: bool = False,
    ) -> Layered:
        """`mask` is over the keys of `past` and of x: (N, M) or (B, 1 or N, M)."""
        look = self_attention(self.attend, mask, past, need_weights)
        x, (kept, weights) = residual_and(x, self.norm_attend, look, self.norm_first)
        x = residual(x, self.norm_feed, self.feed, self.norm_first)
        return Layered(x, kept, weights)


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention to the encoder's output, feed-forward."""

    def __init__(
        self,
        d_model: int,
        heads: int,
        d_ff: int,
        norm_first: bool = True,
        activation: Callable = F.relu,
        eps: float = 1e-5,
    ) -> None:
        super().__init__()
        self.norm_first = norm_first
        self.attend = MultiHeadAttention(d_model, heads)
        self.cross = MultiHeadAttention(d_model, heads)
        self.feed = FeedForward(d_model, d_ff, activation)
        self.norm_attend = nn.LayerNorm(d_model, eps)
        self.norm_cross = nn.LayerNorm(d_model, eps)
        self.norm_feed = nn.LayerNorm(d_model, eps)

    def keys_values(self, memory: Float[Tensor, "B T d"]) -> KeyValues:
        """What cross-attention reads: the same at every step, so computed once."""
        return KeyValues(*self.cross.keys_values(memory))

    def forward(
        self,
        y: Float[Tensor, "B N d"],
        memory: Float[Tensor, "B T d"] | KeyValues,
        mask: Mask | None = None,
        memory_mask: Mask | None = None,
        past: KeyValues | None = None,
        need_weights: bool = False,
    ) -> Layered:
        """`mask` hides what comes later, `memory_mask` the padding of the source."""
        k, v = self.keys_values(memory) if isinstance(memory, Tensor) else memory
        look = self_attention(self.attend, mask, past, need_weights)

        def cross(y: Tensor) -> Attended:
            return self.cross.attend(y, k, v, memory_mask, need_weights)

        y, (kept, weights) = residual_and(y, self.norm_attend, look, self.norm_first)
        y, cross_weights = residual_and(y, self.norm_cross, cross, self.norm_first)
        y = residual(y, self.norm_feed, self.feed, self.norm_first)
        return Layered(y, kept, weights, cross_weights)


def self_attention(
    attend: MultiHeadAttention,
    mask: Mask | None,
    past: KeyValues | None,
    need_weights: bool,
) -> Callable[[Tensor], tuple[Tensor, tuple[KeyValues, Tensor | None]]]:
    """The sub-layer: new positions look at the earlier ones and at themselves.

    Beside what was read it returns the keys and values to keep, and the weights.
    """

    def look(x: Tensor) -> tuple[Tensor, tuple[KeyValues, Tensor | None]]:
        k, v = attend.keys_values(x)
        kept = KeyValues(k, v) if past is None else past.followed_by(k, v)
        read, weights = attend.attend(x, *kept, mask, need_weights)
        return read, (kept, weights)

    return look


class Transformer(nn.Module):
    """Encoder and decoder of `layers` layers each: tokens in, logits out.

    The same duties as seq2seq.Seq2Seq (`forward`, `loss`, `decoder`), so the thread can
    train and search it. Embeddings are scaled by sqrt(d_model) and the encoding of
    their position is added; pre-norm models end with one more LayerNorm.
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
        d_model: int = 64,
        heads: int = 4,
        d_ff: int = 128,
        layers: int = 2,
        norm_first: bool = True,
    ) -> None:
        super().__init__()
        sizes = (d_model, heads, d_ff, norm_first)
        self.read_in = nn.Embedding(source_vocab_size, d_model)
        self.embed = nn.Embedding(target_vocab_size, d_model)
        for table in (self.read_in, self.embed):
            nn.init.normal_(table.weight, std=d_model**-0.5)
        self.encoder = nn.ModuleList(EncoderLayer(*sizes) for _ in range(layers))
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(layers))
        last = (lambda: nn.LayerNorm(d_model)) if norm_first else nn.Identity
        self.norm_encoder, self.norm = last(), last()
        self.read_out = nn.Linear(d_model, target_vocab_size)

    def enter(
        self, table: nn.Embedding, tokens: Int[Tensor, "B N"], start: int = 0
    ) -> Float[Tensor, "B N d"]:
        """Tokens as vectors that know their position; placed.py has other ways."""
        return with_positions(table, tokens, start)

    def encode(self, source: Int[Tensor, "B T"]) -> Float[Tensor, "B T d"]:
        """One vector for each token, made in view of all tokens of its row."""
        x, mask = self.enter(self.read_in, source), token_mask(source)
        for layer in self.encoder:
            x = layer(x, mask).output
        return self.norm_encoder(x)

    def forward(
        self, source: Int[Tensor, "B T"], target: Int[Tensor, "B U"]
    ) -> Float[Tensor, "B U V"]:
        """Teacher forcing: logits of every target, given the true tokens before it."""
        memory, real = self.encode(source), token_mask(source)
        y = self.enter(self.embed, shifted(target))
        mask = causal_mask(target.shape[1])
        for layer in self.layers:
            y = layer(y, memory, mask, real).output
        return self.read_out(self.norm(y))

    def loss(self, source: Tensor, target: Tensor) -> Tensor:
        """Mean cross-entropy per target token, teacher forcing, padding left out."""
        return masked_cross_entropy(self(source, target), target)

    def decoder(self, source: Int[Tensor, "B T"]) -> tuple[Callable, tuple]:
        """`step, state` for the searches of course_lib.search, with a KV cache."""
        memory = self.encode(source)
        layers = cast("Iterable[DecoderLayer]", self.layers)
        read = [layer.keys_values(memory) for layer in layers]
        past = [KeyValues(k[:, :, :0], v[:, :, :0]) for k, v in read]

        def step(previous: Tensor, state: tuple) -> tuple[Tensor, tuple]:
            past, read, real = state
            y = self.enter(self.embed, previous[:, None], past[0].k.shape[2])
            grown = []
            for layer, own, seen in zip(layers, past, read, strict=True):
                y, kept, *_ = layer(y, seen, None, real, own)
                grown.append(kept)
            log_p = self.read_out(self.norm(y))[:, 0].log_softmax(dim=1)
            return log_p, (grown, read, real)

        return step, (past, read, token_mask(source))


def with_positions(
    table: nn.Embedding, tokens: Int[Tensor, "B N"], start: int = 0
) -> Float[Tensor, "B N d"]:
    r"""$\sqrt{d}\,e_{w_n} + P_n$: the embedding, scaled, plus the positional code."""
    x = table(tokens) * table.embedding_dim**0.5
    return x + sinusoids(tokens.shape[1], table.embedding_dim, start).to(x)


def token_mask(rows: Int[Tensor, "B T"]) -> Mask:
    """Everybody may look at the tokens of a row, nobody at its padding: (B, 1, T)."""
    return (rows != PAD)[:, None, :]
