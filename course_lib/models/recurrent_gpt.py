r"""A language model like GPT in which a recurrence stands where attention stood.

$$S_t = g_t S_{t-1} + k_t v_t^\top, \quad g_t = \sigma(w_g \cdot x_t + b_g), \quad
o_t = \text{norm}(S_t^\top q_t)$$

in each of H heads: the decayed memory of fast_weights.py with gates made from the
input. No positions are told: a recurrence knows the order. `attention` names layers
that keep softmax attention (also without positions), for hybrids. Lecture 17.
"""

from collections.abc import Sequence
from typing import cast

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.models.attention import causal_mask
from course_lib.models.fast_weights import decayed
from course_lib.models.gpt import GPT, Past
from course_lib.models.transformer import EncoderLayer, FeedForward, Layered

GATES = (0.9, 0.999)  # of the heads at the start: half-lives of 7 to 700 tokens


class MemoryLayer(nn.Module):
    """Decayed linear attention in place of self-attention; pre-norm, feed-forward."""

    def __init__(self, d_model: int, heads: int, d_ff: int) -> None:
        super().__init__()
        self.heads, self.d_head = heads, d_model // heads
        self.project = nn.Linear(d_model, 3 * d_model)  # q, k, v
        self.gate = nn.Linear(d_model, heads)
        self.join = nn.Linear(d_model, d_model)
        self.feed = FeedForward(d_model, d_ff, F.relu)
        self.norm_attend = nn.LayerNorm(d_model)
        self.norm_feed = nn.LayerNorm(d_model)
        keep = torch.linspace(*GATES, heads)
        self.gate.bias.data = torch.log(keep / (1 - keep))

    def forward(
        self,
        x: Float[Tensor, "B N d"],
        real: Bool[Tensor, "B N"],
        past: Float[Tensor, "B H d_k d_v"] | None = None,
    ) -> tuple[Float[Tensor, "B N d"], Float[Tensor, "B H d_k d_v"]]:
        """Padding is passed over: it writes nothing, and nothing decays meanwhile."""
        u = self.norm_attend(x)
        split = lambda y: y.unflatten(-1, (self.heads, -1)).transpose(1, 2)  # noqa: E731
        q, k, v = map(split, self.project(u).chunk(3, dim=-1))  # (B, H, N, d_head)
        log_g = F.logsigmoid(self.gate(u)).transpose(1, 2)  # (B, H, N)
        here = real[:, None]
        k = F.normalize(k, dim=-1) * here[..., None]
        read, state = decayed(q, k, v, log_g * here, past)
        read = F.rms_norm(read, (self.d_head,), eps=1e-5)
        x = x + self.join(read.transpose(1, 2).flatten(2))
        return x + self.feed(self.norm_feed(x)), state


class RecurrentGPT(GPT):
    """GPT with memory layers; those numbered in `attention` look back as before."""

    def __init__(
        self,
        vocab_size: int,
        d_model: int = 64,
        heads: int = 4,
        layers: int = 2,
        d_ff: int | None = None,
        attention: Sequence[int] = (),
    ) -> None:
        nn.Module.__init__(self)
        d_ff = d_ff or 4 * d_model
        self.embed = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.embed.weight, std=d_model**-0.5)
        self.layers = nn.ModuleList(
            EncoderLayer(d_model, heads, d_ff)
            if n in attention
            else MemoryLayer(d_model, heads, d_ff)
            for n in range(layers)
        )
        self.norm = nn.LayerNorm(d_model)

    def read(
        self,
        tokens: Int[Tensor, "B N"],
        real: Bool[Tensor, "B N"] | None = None,
        past: Past | None = None,
    ) -> tuple[Float[Tensor, "B N V"], Past]:
        """As in GPT; what is kept of a memory layer is its state, whatever came."""
        here = torch.ones_like(tokens, dtype=torch.bool) if real is None else real
        looks = any(isinstance(layer, EncoderLayer) for layer in self.layers)
        seen = here if past is None else torch.cat([past.real, here], dim=1)
        mask = causal_mask(tokens.shape[1], seen.shape[1]) & seen[:, None, :]
        x = self.embed.embedding_dim**0.5 * self.embed(tokens)
        kept = [None] * len(self.layers) if past is None else past.kept
        grown = []
        for layer, own in zip(self.layers, kept, strict=True):
            if isinstance(layer, EncoderLayer):
                made = cast("Layered", layer(x, mask, own))
                x, state = made.output, made.kept
            else:
                x, state = layer(x, here, own)
            grown.append(state)
        # only attention asks again which tokens were real
        seen = seen if looks else seen[:, :0]
        return F.linear(self.norm(x), self.embed.weight), Past(grown, seen)
