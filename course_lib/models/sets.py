r"""Set Transformer: attention blocks for data that have no order. Lecture 14.

$$\text{MAB}(X, Y) = \text{LN}(H + \text{rFF}(H)), \qquad
H = \text{LN}(X + \text{MultiHead}(X, Y, Y)),$$

after Lee et al., ICML 2019; everything else is made of this block:

    SAB(X)  = MAB(X, X)               every element looks at every other:    N^2 pairs
    ISAB(X) = MAB(X, MAB(I, X))       by way of M learned inducing points:  2 NM pairs
    PMA(X)  = MAB(S, rFF(X))          k learned seeds read the set:           kN pairs

SAB and ISAB are equivariant, shuffled in, equally shuffled out; PMA is invariant, and
its output has k rows whatever the size of the set. Letters: B batch, N elements, M
inducing points, k seeds. `mask` is that of `attention.MultiHeadAttention`, True = may
look: for sets of different sizes in one batch, `padding_mask(sizes, N)`, (B, 1, N). An
empty set is read as zeros, so it passes without a nan; a batch of 0 sets works.
"""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.models.attention import Attended, Mask, MultiHeadAttention
from course_lib.models.residual import residual, residual_and
from course_lib.shapes import check_shape


class Bridged(NamedTuple):
    """What came back over the bridge, and how it went there and back."""

    output: Tensor  # (B, N, d)
    summary: Tensor  # (B, M, d) what the inducing points have read
    gathered: Tensor | None  # (B, H, M, N) weights: inducing points read the set
    returned: Tensor | None  # (B, H, N, M) weights: the set reads the summary


def row_wise(d_model: int, d_ff: int) -> nn.Sequential:
    r"""rFF: $W_2\,\text{relu}(W_1 x + b_1) + b_2$ on every element by itself."""
    return nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


class MAB(nn.Module):
    r"""Multi-head attention block: X asks, Y answers, then a network on every row.

    With Y = X it is the encoder layer of the Transformer, normalised after each sum and
    without positions. d_ff, the hidden width of rFF, is 2 d_model unless given.
    """

    def __init__(self, d_model: int, heads: int, d_ff: int | None = None) -> None:
        super().__init__()
        self.attend = MultiHeadAttention(d_model, heads)
        self.feed = row_wise(d_model, 2 * d_model if d_ff is None else d_ff)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(
        self,
        x: Float[Tensor, "B N d_model"],
        y: Float[Tensor, "B M d_model"],
        mask: Mask | None = None,
        need_weights: bool = True,
    ) -> Attended:
        """-> output (B, N, d_model), weights (B, H, N, M)"""

        def attend(x: Tensor) -> Attended:
            return self.attend(x, y, mask, need_weights)

        h, weights = residual_and(x, self.norm_1, attend, norm_first=False)
        return Attended(residual(h, self.norm_2, self.feed, norm_first=False), weights)


class SAB(nn.Module):
    r"""Set attention block, $\text{MAB}(X, X)$: (B, N, d_model) -> the same."""

    def __init__(self, d_model: int, heads: int, d_ff: int | None = None) -> None:
        super().__init__()
        self.block = MAB(d_model, heads, d_ff)

    def forward(
        self,
        x: Float[Tensor, "B N d_model"],
        mask: Mask | None = None,
        need_weights: bool = True,
    ) -> Attended:
        """-> output (B, N, d_model), weights (B, H, N, N)"""
        return self.block(x, x, mask, need_weights)


class ISAB(nn.Module):
    r"""Induced set attention block, $\text{MAB}(X, \text{MAB}(I, X))$.

    The M inducing points I (M, d_model) are parameters: M questions that are put to
    every set. Elements meet only by way of the answers, so N elements cost 2NM scores
    and not N^2.
    """

    def __init__(
        self, d_model: int, heads: int, inducing: int, d_ff: int | None = None
    ) -> None:
        super().__init__()
        self.points = learned_rows("inducing", inducing, d_model)
        self.gather = MAB(d_model, heads, d_ff)
        self.give_back = MAB(d_model, heads, d_ff)

    def summarise(
        self,
        x: Float[Tensor, "B N d_model"],
        mask: Mask | None = None,
        need_weights: bool = True,
    ) -> Attended:
        """The first half, MAB(I, X): -> (B, M, d_model), weights (B, H, M, N)"""
        points = for_each_set(self.points, x)
        return self.gather(points, x, mask, need_weights)

    def forward(
        self,
        x: Float[Tensor, "B N d_model"],
        mask: Mask | None = None,
        need_weights: bool = True,
    ) -> Bridged:
        """-> output (B, N, d_model), the summary, and the weights of both halves"""
        summary, gathered = self.summarise(x, mask, need_weights)
        output, returned = self.give_back(x, summary, None, need_weights)
        return Bridged(output, summary, gathered, returned)


class PMA(nn.Module):
    r"""Pooling by multi-head attention: $\text{MAB}(S, \text{rFF}(X))$, S k seeds.

    (B, N, d_model) -> (B, k, d_model), the same for every order of the N elements.
    """

    def __init__(
        self, d_model: int, heads: int, seeds: int = 1, d_ff: int | None = None
    ) -> None:
        super().__init__()
        self.seeds = learned_rows("seeds", seeds, d_model)
        self.prepare = row_wise(d_model, 2 * d_model if d_ff is None else d_ff)
        self.read = MAB(d_model, heads, d_ff)

    def forward(
        self,
        x: Float[Tensor, "B N d_model"],
        mask: Mask | None = None,
        need_weights: bool = True,
    ) -> Attended:
        """-> output (B, k, d_model), weights (B, H, k, N)"""
        seeds = for_each_set(self.seeds, x)
        return self.read(seeds, self.prepare(x), mask, need_weights)


def learned_rows(name: str, count: int, d_model: int) -> nn.Parameter:
    """Rows that belong to the model and to no set.

    They start at random, so that they differ; nothing forces two of them to end up
    with different jobs.
    """
    if count < 1:
        raise ValueError(f"{name}={count}: at least one row is needed to read the set")
    return nn.Parameter(0.5 * torch.randn(count, d_model))


def for_each_set(
    rows: Float[Tensor, "M d_model"], x: Float[Tensor, "B N d_model"]
) -> Float[Tensor, "B M d_model"]:
    """The same rows for every set of the batch; x is checked, its values are unused."""
    why = "batch, elements, dim"
    check_shape("x", x, "B N d_model", why, d_model=rows.shape[1])
    return rows.expand(len(x), *rows.shape)
