r"""A Transformer that is told positions in one of five ways. Lecture 10.

| way        | added to the embedding | what self-attention compares          |
|------------|------------------------|---------------------------------------|
| none       | nothing                | $q_n \cdot k_m$                       |
| sinusoidal | $P_n$, a formula       | $q_n \cdot k_m$                       |
| learned    | row n of a table       | $q_n \cdot k_m$                       |
| rotary     | nothing                | $R_n q_n \cdot R_m k_m$               |
| relative   | nothing                | $q_n \cdot k_m$ plus a bias for m - n |

How far each reaches on the thread is in TABLE, measured once by

    python benchmarks/running_task.py MODEL --table TABLE

Nothing else differs. Rotary and relative positions act where positions have a
difference, in self-attention; cross-attention compares what the words say.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import cast

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.models.attention import (
    Attended,
    Mask,
    MultiHeadAttention,
    masked_softmax,
)
from course_lib.models.positions import rotated
from course_lib.models.transformer import DecoderLayer, EncoderLayer, Transformer

TABLE = Path(__file__).parents[1] / "running_task_positions.tsv"
WAYS = ("none", "sinusoidal", "learned", "rotary", "relative")
FURTHEST = 4  # a relative bias treats all greater distances as this one


class PlacedAttention(MultiHeadAttention):
    """Self-attention whose scores know the distance: the last query is the last key.

    Keys are kept as they are, without their position, so a cache works as before.
    """

    def __init__(self, d_model: int, heads: int, way: str) -> None:
        super().__init__(d_model, heads)
        self.way = way
        if way == "relative":
            self.bias = nn.Parameter(torch.zeros(heads, 2 * FURTHEST + 1))

    def scores(
        self, q: Float[Tensor, "B H N d"], k: Float[Tensor, "B H M d"]
    ) -> Float[Tensor, "B H N M"]:
        """All scalar products, with what the positions have to say about them."""
        N, M = q.shape[2], k.shape[2]
        scale = q.shape[3] ** -0.5
        if self.way == "rotary":
            q, k = rotated(q, start=M - N), rotated(k)
        scores = q @ k.transpose(-2, -1) * scale
        if self.way == "relative":
            distance = torch.arange(M) - torch.arange(M - N, M)[:, None]  # (N, M)
            near = distance.clamp(-FURTHEST, FURTHEST) + FURTHEST
            scores = scores + self.bias[:, near]
        return scores

    def attend(
        self,
        x: Float[Tensor, "B N d_model"],
        k: Float[Tensor, "B H M d_head"],
        v: Float[Tensor, "B H M d_head"],
        mask: Mask | None = None,
        need_weights: bool = True,
    ) -> Attended:
        """As in MultiHeadAttention, with these scores."""
        q = self.split(F.linear(x, self.W_q, self.b_q))
        if mask is not None and mask.dim() == 3:
            mask = mask[:, None]
        weights = masked_softmax(self.scores(q, k), mask)
        joined = (weights @ v).transpose(1, 2).flatten(2)
        kept = weights if need_weights else None
        return Attended(F.linear(joined, self.W_o, self.b_o), kept)


class PlacedTransformer(Transformer):
    """`way` is one of WAYS; a learned table has `longest` rows on each side.

    The table starts at zero, so a row that training never reached adds nothing.
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
        way: str = "sinusoidal",
        d_model: int = 64,
        heads: int = 4,
        longest: int = 64,
    ) -> None:
        super().__init__(source_vocab_size, target_vocab_size, d_model, heads)
        if way not in WAYS:
            raise ValueError(f"no way {way!r}: expected one of {WAYS}")
        self.way = way
        if way == "learned":
            self.positions = nn.Parameter(torch.zeros(2, longest, d_model))
        if way in ("rotary", "relative"):
            blocks = [*self.encoder, *self.layers]
            for block in cast("Iterable[EncoderLayer | DecoderLayer]", blocks):
                block.attend = PlacedAttention(d_model, heads, way)

    def enter(
        self, table: nn.Embedding, tokens: Int[Tensor, "B N"], start: int = 0
    ) -> Float[Tensor, "B N d"]:
        """Embeddings, and the position where this way adds one."""
        if self.way == "sinusoidal":
            return super().enter(table, tokens, start)
        x = table(tokens) * table.embedding_dim**0.5
        if self.way != "learned":
            return x
        side = 0 if table is self.read_in else 1
        return x + self.positions[side, start : start + tokens.shape[1]]
