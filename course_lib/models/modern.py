r"""The block of today's language models: what changed since 2017. Lecture 12.

Four parts of the Transformer block were exchanged, and the order of operations with
them; the residual stream, the causal mask and the two sub-layers stayed:

$$x \leftarrow x + \text{Attention}(\text{RMSNorm}(x)), \qquad
x \leftarrow x + \text{SwiGLU}(\text{RMSNorm}(x))$$

    model = ModernLM(V=78, d=32, heads=4, kv_heads=2, layers=2)
    logits = model(tokens)                       # (B, T) -> (B, T, V)
    caches = model.caches(batch=1, length=100)   # for writing, one token at a time
    logits = model(tokens, caches)

Letters: B batch, T new tokens, M tokens so far, H heads of queries, G heads of keys and
values, d_h the width of a head. Without biases, as in Llama; `transformers` computes
the same with the same weights (tests/models/test_modern.py).
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

BASE = 10_000.0  # of the wave lengths, as for the sinusoids of 2017


def wide(d: int) -> int:
    """Columns inside SwiGLU: 8/3 d, so that three matrices cost what two of 4d did."""
    return 8 * round(d / 3)


class RMSNorm(nn.Module):
    r"""$g \odot x / \sqrt{\text{mean}(x^2) + \epsilon}$: no mean taken off, no bias."""

    def __init__(self, d: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.gain, self.eps = nn.Parameter(torch.ones(d)), eps

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        size = x.square().mean(dim=-1, keepdim=True)
        return self.gain * x * torch.rsqrt(size + self.eps)


def angles(
    T: int, d_h: int, first: int = 0, dtype: torch.dtype | None = None
) -> Float[Tensor, "T half"]:
    r"""$m\,\theta_i$ for positions m from `first` on, $\theta_i = 10000^{-2i/d_h}$."""
    if d_h % 2:
        raise ValueError(f"d_h = {d_h}: RoPE turns pairs of columns, so it is even")
    theta = BASE ** (-torch.arange(0, d_h, 2, dtype=dtype) / d_h)
    return torch.outer(torch.arange(first, first + T, dtype=theta.dtype), theta)


def rotate(
    x: Float[Tensor, "... T d_h"], angle: Float[Tensor, "T half"]
) -> Float[Tensor, "... T d_h"]:
    """RoPE: columns i and i + d_h/2 are a point of a plane, turned by angle[m, i]."""
    a, b = x.chunk(2, dim=-1)
    c, s = angle.cos(), angle.sin()
    return torch.cat([a * c - b * s, b * c + a * s], dim=-1)


@dataclass
class Cache:
    """Keys and values of one layer, in memory that is asked for once."""

    keys: Float[Tensor, "B G length d_h"]
    values: Float[Tensor, "B G length d_h"]
    used: int = 0

    def add(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Write T new ones behind the others; return all so far."""
        end = self.used + k.shape[2]
        if end > self.keys.shape[2]:
            raise ValueError(f"{end} tokens, but room for {self.keys.shape[2]}")
        self.keys[:, :, self.used : end], self.values[:, :, self.used : end] = k, v
        self.used = end
        return self.keys[:, :, :end], self.values[:, :, :end]

    @property
    def bytes(self) -> int:
        """What it takes, whether used or not."""
        return self.keys.nbytes + self.values.nbytes


class GroupedAttention(nn.Module):
    """H heads ask, G of them answer: each key and value serves H / G queries."""

    def __init__(self, d: int, heads: int, kv_heads: int) -> None:
        super().__init__()
        if d % heads or heads % kv_heads:
            raise ValueError(
                f"d={d}, heads={heads}, kv_heads={kv_heads}: heads share out d columns "
                "evenly, and heads of keys and values serve equally many queries"
            )
        self.heads, self.kv_heads, self.d_h = heads, kv_heads, d // heads
        self.W_q = nn.Linear(d, d, bias=False)
        self.W_k = nn.Linear(d, kv_heads * self.d_h, bias=False)
        self.W_v = nn.Linear(d, kv_heads * self.d_h, bias=False)
        self.W_o = nn.Linear(d, d, bias=False)

    def forward(
        self, x: Float[Tensor, "B T d"], cache: Cache | None = None
    ) -> Float[Tensor, "B T d"]:
        T, first = x.shape[1], cache.used if cache else 0
        q = self.split(self.W_q(x), self.heads)
        k = self.split(self.W_k(x), self.kv_heads)
        v = self.split(self.W_v(x), self.kv_heads)
        angle = angles(T, self.d_h, first, x.dtype)
        q, k = rotate(q, angle), rotate(k, angle)
        if cache:
            k, v = cache.add(k, v)
        served = self.heads // self.kv_heads
        k, v = (part.repeat_interleave(served, dim=1) for part in (k, v))
        if first == 0:
            read = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            mask = torch.ones(T, k.shape[2], dtype=torch.bool).tril(first)
            read = F.scaled_dot_product_attention(q, k, v, mask)
        return self.W_o(read.transpose(1, 2).flatten(2))

    def split(self, x: Tensor, heads: int) -> Float[Tensor, "B heads T d_h"]:
        """One slice of the columns for each head."""
        return x.unflatten(-1, (heads, self.d_h)).transpose(1, 2)


class SwiGLU(nn.Module):
    r"""$W_\text{down}(\text{silu}(W_\text{gate} x) \odot W_\text{up} x)$."""

    def __init__(self, d: int, d_ff: int) -> None:
        super().__init__()
        self.gate = nn.Linear(d, d_ff, bias=False)
        self.up = nn.Linear(d, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d, bias=False)

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        return self.down(F.silu(self.gate(x)) * self.up(x))


class ModernBlock(nn.Module):
    """Two sub-layers, each with its norm in front and the stream around it."""

    def __init__(self, d: int, heads: int, kv_heads: int, d_ff: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = RMSNorm(d), RMSNorm(d)
        self.attend = GroupedAttention(d, heads, kv_heads)
        self.feed = SwiGLU(d, d_ff)

    def forward(
        self, x: Float[Tensor, "B T d"], cache: Cache | None = None
    ) -> Float[Tensor, "B T d"]:
        x = x + self.attend(self.norm_1(x), cache)
        return x + self.feed(self.norm_2(x))


class ModernLM(nn.Module):
    """A language model of modern blocks; the read-out is tied to the embedding."""

    def __init__(
        self,
        V: int,
        d: int,
        heads: int,
        kv_heads: int,
        layers: int,
        d_ff: int | None = None,
    ) -> None:
        super().__init__()
        self.embed = nn.Embedding(V, d)
        self.blocks = nn.ModuleList(
            ModernBlock(d, heads, kv_heads, d_ff or wide(d)) for _ in range(layers)
        )
        self.cached = layers, kv_heads, d // heads
        self.norm = RMSNorm(d)
        self.start()

    def start(self) -> None:
        r"""Entries of spread $1/\sqrt{\text{inputs}}$; each sub-layer's last matrix is
        divided by $\sqrt{2L}$, so that the stream does not grow with depth."""
        nn.init.normal_(self.embed.weight, std=self.embed.embedding_dim**-0.5)
        for name, W in self.blocks.named_parameters():
            if W.dim() == 2:
                nn.init.normal_(W, std=W.shape[1] ** -0.5)
                if "W_o" in name or "down" in name:
                    W.data /= (2 * len(self.blocks)) ** 0.5

    def forward(
        self, tokens: Int[Tensor, "B T"], caches: list[Cache] | None = None
    ) -> Float[Tensor, "B T V"]:
        x = self.embed(tokens)
        for number, block in enumerate(self.blocks):
            x = block(x, caches[number] if caches else None)
        return self.norm(x) @ self.embed.weight.T

    def loss(self, rows: Int[Tensor, "B T"]) -> Float[Tensor, ""]:
        """Mean surprise of every token but the first of each row, in nats."""
        logits = self(rows[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten())

    def caches(self, batch: int, length: int) -> list[Cache]:
        """Empty memory for so many tokens, one cache a layer."""
        layers, kv_heads, d_h = self.cached
        like, shape = self.embed.weight, (batch, kv_heads, length, d_h)
        pairs = [(like.new_zeros(shape), like.new_zeros(shape)) for _ in range(layers)]
        return [Cache(keys, values) for keys, values in pairs]

    @property
    def size(self) -> int:
        """N: parameters without the embedding."""
        return sum(p.numel() for p in self.parameters()) - self.embed.weight.numel()
