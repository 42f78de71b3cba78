r"""Attention for long sequences: exact in pieces, and linear. Lecture 15.

    chunked(q, k, v)              softmax attention, exact, never an (N, M) matrix
    linear(phi_q, phi_k, v)       phi(q).phi(k) in place of exp(q.k / sqrt(d))
    LinearAttention(d_model, heads)   the last one as a layer
    peak_memory(run, *inputs)     the most bytes that torch held meanwhile

Letters: N queries, M keys and values, r features. Any axes may stand in front, as in
`attention.attention`; with `causal=True` the queries are the last N of M positions and
look no further than themselves. Patterns that leave pairs out are in sparse.py.
"""

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor
from torch.profiler import ProfilerActivity, profile

from course_lib.models.attention import (
    Attended,
    Mask,
    MultiHeadAttention,
    causal_mask,
    check_qkv,
)
from course_lib.shapes import check_shape

# Unless told not to before its first use, the profiler writes lines to the terminal.
os.environ.setdefault("KINETO_LOG_LEVEL", "99")


def chunked(
    q: Float[Tensor, "*batch N d_q"],
    k: Float[Tensor, "*batch M d_q"],
    v: Float[Tensor, "*batch M d_v"],
    chunk: int = 512,
    causal: bool = False,
) -> Float[Tensor, "*batch N d_v"]:
    """What `attention` returns, made of (chunk, chunk) pieces of the scores."""
    check_qkv(q, k, v)
    if chunk < 1:
        raise ValueError(f"chunk={chunk}: a piece has at least one row and one column")
    N, M = q.shape[-2], k.shape[-2]
    if causal and M < N:
        raise ValueError(f"{N} queries but {M} keys: each query needs its own key")
    if not N or not M:
        return q.new_zeros(*q.shape[:-1], v.shape[-1])
    ahead = M - N  # positions before the first query
    rows = []
    for start in range(0, N, chunk):
        stop = min(start + chunk, N)
        seen = ahead + stop if causal else M
        first = ahead + start if causal else None
        keys, values = k[..., :seen, :], v[..., :seen, :]
        rows.append(online_softmax(q[..., start:stop, :], keys, values, chunk, first))
    return torch.cat(rows, dim=-2)


def online_softmax(
    q: Float[Tensor, "*batch N d_q"],
    k: Float[Tensor, "*batch M d_q"],
    v: Float[Tensor, "*batch M d_v"],
    chunk: int,
    first: int | None = None,
) -> Float[Tensor, "*batch N d_v"]:
    r"""One pass over the keys with a running maximum $\mu$, sum $z$ and output $y$:

    $$\mu' = \max(\mu, \max_j e_j), \quad c = e^{\mu - \mu'}, \quad
    z' = c z + \sum_j e^{e_j - \mu'}, \quad y' = c y + \sum_j e^{e_j - \mu'} v_j.$$

    `first` is the position of the first query, if keys after a query are to be hidden.
    """
    top = q.new_full((*q.shape[:-1], 1), -torch.inf)
    z, y = torch.zeros_like(top), q.new_zeros(*q.shape[:-1], v.shape[-1])
    for at in range(0, k.shape[-2], chunk):
        piece = slice(at, at + chunk)
        scores = q @ k[..., piece, :].transpose(-2, -1) * q.shape[-1] ** -0.5
        if first is not None:
            seen = torch.ones_like(scores, dtype=torch.bool).tril(first - at)
            scores = scores.masked_fill(~seen, -torch.inf)
        higher = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink, grown = (top - higher).exp(), (scores - higher).exp()
        z = shrink * z + grown.sum(dim=-1, keepdim=True)
        y = shrink * y + grown @ v[..., piece, :]
        top = higher
    return y / z


def elu_features(x: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch d"]:
    r"""$\text{elu}(x) + 1$: $x + 1$ above 0, $e^x$ below; positive, and d of them."""
    return torch.where(x > 0, x + 1, x.clamp(max=0).exp())  # F.elu(-40) + 1 is 0


def positive_features(
    x: Float[Tensor, "*batch d"], omega: Float[Tensor, "r d"]
) -> Float[Tensor, "*batch r"]:
    r"""$\phi_i(x) = \exp(\omega_i \cdot u - |u|^2/2)/\sqrt r$ with $u = x / d^{1/4}$.

    With rows $\omega_i \sim N(0, I)$ the mean of $\phi(q) \cdot \phi(k)$ over the draw
    is $\exp(q \cdot k / \sqrt d)$.
    """
    u = x * x.shape[-1] ** -0.25
    log = u @ omega.T - u.square().sum(dim=-1, keepdim=True) / 2
    return log.exp() * len(omega) ** -0.5


def linear(
    phi_q: Float[Tensor, "*batch N r"],
    phi_k: Float[Tensor, "*batch M r"],
    v: Float[Tensor, "*batch M d_v"],
    causal: bool = False,
    chunk: int = 64,
) -> Float[Tensor, "*batch N d_v"]:
    r"""$\phi(q_n) \cdot \sum_m \phi(k_m) v_m$ over $\phi(q_n) \cdot \sum_m \phi(k_m)$.

    A column of ones beside v makes the denominator. Causal: the sums run up to n; they
    are carried from chunk to chunk, so that memory stays linear.
    """
    check_qkv(phi_q, phi_k, v)
    v = torch.cat([v, torch.ones_like(v[..., :1])], dim=-1)
    if causal:
        return normalised(causal_sums(phi_q, phi_k, v, chunk))
    return normalised(phi_q @ (phi_k.transpose(-2, -1) @ v))


def causal_sums(
    phi_q: Float[Tensor, "*batch N r"],
    phi_k: Float[Tensor, "*batch M r"],
    v: Float[Tensor, "*batch M d"],
    chunk: int,
) -> Float[Tensor, "*batch N d"]:
    r"""$S_n^\top \phi(q_n)$ with the state $S_n = S_{n-1} + \phi(k_n) v_n^\top$."""
    N, M = phi_q.shape[-2], phi_k.shape[-2]
    if M < N or chunk < 1:
        raise ValueError(
            f"{N} queries, {M} keys, chunk={chunk}: each query needs its own key, and "
            "a chunk at least one position"
        )
    before, own = phi_k.tensor_split([M - N], dim=-2)  # the queries are the last N
    v_before, v_own = v.tensor_split([M - N], dim=-2)
    state, rows = before.transpose(-2, -1) @ v_before, []
    pieces = (x.split(chunk, dim=-2) for x in (phi_q, own, v_own))
    for f_q, f_k, values in zip(*pieces, strict=True):
        within = (f_q @ f_k.transpose(-2, -1)).tril()
        rows.append(f_q @ state + within @ values)
        state = state + f_k.transpose(-2, -1) @ values
    return torch.cat(rows, dim=-2)


def normalised(both: Float[Tensor, "*batch N d"]) -> Float[Tensor, "*batch N d-1"]:
    """Divide by the last column; a query that may look nowhere has 0 there, reads 0."""
    y, z = both[..., :-1], both[..., -1:]
    return y / z.masked_fill(z == 0, 1.0)


def kernel_weights(
    phi_q: Float[Tensor, "*batch N r"],
    phi_k: Float[Tensor, "*batch M r"],
    mask: Mask | None = None,
) -> Float[Tensor, "*batch N M"]:
    """The weights that `linear` uses in effect; to look at, for they cost O(NM)."""
    kernel = phi_q @ phi_k.transpose(-2, -1)
    kernel = kernel if mask is None else kernel.masked_fill(~mask, 0.0)
    return normalised(torch.cat([kernel, kernel.sum(dim=-1, keepdim=True)], dim=-1))


class LinearAttention(MultiHeadAttention):
    r"""Multi-head attention with weights $\propto \phi(q) \cdot \phi(k)$, elu features.

    The same parameters, and the same place in a Transformer, as MultiHeadAttention.
    Without the weights it costs O(N). Then a mask can hide keys from all queries
    (padding) or the future (causal), not single pairs: no pair is ever computed.
    """

    def attend(
        self,
        x: Float[Tensor, "B N d_model"],
        k: Float[Tensor, "B H M d_head"],
        v: Float[Tensor, "B H M d_head"],
        mask: Mask | None = None,
        need_weights: bool = True,
    ) -> Attended:
        """As in MultiHeadAttention; with the weights it costs O(NM)."""
        why = "batch, queries, dim"
        check_shape("x", x, "B N d_model", why, d_model=self.d_model)
        phi_q = elu_features(self.split(F.linear(x, self.W_q, self.b_q)))
        phi_k, weights = elu_features(k), None
        if mask is not None and mask.dim() == 3:
            mask = mask[:, None]  # (B, 1, N, M): the same for every head
        if need_weights:
            weights = kernel_weights(phi_q, phi_k, mask)
            read = weights @ v
        elif mask is not None and mask.shape[-2] > 1:
            check_causal(mask)
            read = linear(phi_q, phi_k, v, causal=True)
        else:
            if mask is not None:  # (..., 1, M): a hidden key has no features
                phi_k = phi_k.masked_fill(~mask.transpose(-2, -1), 0.0)
            read = linear(phi_q, phi_k, v)
        joined = read.transpose(1, 2).flatten(2)  # (B, H, N, d_head) -> (B, N, d_model)
        return Attended(F.linear(joined, self.W_o, self.b_o), weights)


def peak_memory(run: Callable, *inputs: object) -> int:
    """Most bytes that torch's allocator held during run(*inputs), above those before.

    Read from the profiler's record of every allocation and release. Tensors count, and
    the scratch space that operations ask torch for; private buffers of a BLAS do not.
    """
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as record:
        run(*inputs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        record.export_chrome_trace(str(path))
        events = json.loads(path.read_text(encoding="utf8"))["traceEvents"]
    changes = [(e["ts"], e["args"]["Bytes"]) for e in events if e["name"] == "[memory]"]
    held = most = 0
    for _, change in sorted(changes, key=lambda pair: pair[0]):
        held += change
        most = max(most, held)
    return most


def check_causal(mask: Tensor) -> None:
    """Raise a ValueError unless the mask is the causal one for N queries, M keys."""
    N, M = mask.shape[-2:]
    if M < N or not bool((mask == causal_mask(N, M)).all()):
        raise ValueError(
            f"the mask has shape {tuple(mask.shape)} and hides single pairs: without "
            "weights linear attention can hide keys from everybody, or what comes later"
        )
