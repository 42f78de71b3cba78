r"""A matrix as memory: linear attention with decay, and the delta rule. Lecture 17.

$$S_t = g_t S_{t-1} + k_t v_t^\top \quad \text{(decay)}, \qquad
S_t = S_{t-1} + \beta_t k_t \big(v_t - S_{t-1}^\top k_t\big)^\top \quad \text{(delta)}$$

and $o_t = S_t^\top q_t$ in both. The first with $g_t = 1$ is lecture 15's causal linear
attention without its denominator, with a constant $g$ retention, with $g_t$ made from
the input the gated form of GLA and Mamba-2. The second stores the difference to what
the memory would have answered, so that a key written again is overwritten.

Shapes: q, k (..., T, d_k), v (..., T, d_v), log_g and beta (..., T); any axes in front.
A state is (..., d_k, d_v). All return the outputs and the last state.
"""

import torch
from jaxtyping import Float
from torch import Tensor

Read = tuple[Float[Tensor, "*batch T d_v"], Float[Tensor, "*batch d_k d_v"]]


def decayed_steps(
    q: Float[Tensor, "*batch T d_k"],
    k: Float[Tensor, "*batch T d_k"],
    v: Float[Tensor, "*batch T d_v"],
    log_g: Float[Tensor, "*batch T"],
    state: Float[Tensor, "*batch d_k d_v"] | None = None,
) -> Read:
    """The recurrence, one step after another: how a model writes."""
    S = _start(k, v, state)
    out = []
    for t in range(q.shape[-2]):
        g = log_g[..., t, None, None].exp()
        S = g * S + k[..., t, :, None] * v[..., t, None, :]
        out.append((q[..., t, None, :] @ S)[..., 0, :])
    return torch.stack(out, dim=-2), S


def decayed(
    q: Float[Tensor, "*batch T d_k"],
    k: Float[Tensor, "*batch T d_k"],
    v: Float[Tensor, "*batch T d_v"],
    log_g: Float[Tensor, "*batch T"],
    state: Float[Tensor, "*batch d_k d_v"] | None = None,
    chunk: int = 64,
) -> Read:
    r"""The same in chunks: how a model is trained.

    With $c_t = \sum_{s \le t} \log g_s$ from the chunk's start, what position t reads
    of position s in its own chunk has the weight $e^{c_t - c_s} (q_t \cdot k_s)$, at
    most $|q_t \cdot k_s|$, and what it reads of the state before the chunk $e^{c_t}$.
    """
    if chunk < 1:
        raise ValueError(f"chunk={chunk}: a chunk has at least one position")
    S, out = _start(k, v, state), []
    pieces = (x.split(chunk, dim=-2) for x in (q, k, v, log_g[..., None]))
    for q_c, k_c, v_c, log_c in zip(*pieces, strict=True):
        c = log_c[..., 0].cumsum(dim=-1)  # (..., chunk)
        gap = c[..., :, None] - c[..., None, :]
        later = torch.ones_like(gap, dtype=torch.bool).triu(1)
        weights = gap.masked_fill(later, -torch.inf).exp() * (q_c @ k_c.mT)
        out.append(weights @ v_c + c.exp()[..., None] * (q_c @ S))
        left = (c[..., -1:] - c).exp()[..., None]  # of every key at the chunk's end
        S = c[..., -1].exp()[..., None, None] * S + (left * k_c).mT @ v_c
    return torch.cat(out, dim=-2), S


def delta_rule_steps(
    q: Float[Tensor, "*batch T d_k"],
    k: Float[Tensor, "*batch T d_k"],
    v: Float[Tensor, "*batch T d_v"],
    beta: Float[Tensor, "*batch T"],
    state: Float[Tensor, "*batch d_k d_v"] | None = None,
) -> Read:
    """Before it writes, the memory is asked; only what it got wrong is written."""
    S = _start(k, v, state)
    out = []
    for t in range(q.shape[-2]):
        k_t = k[..., t, :, None]
        wrong = v[..., t, None, :] - k_t.mT @ S  # (..., 1, d_v)
        S = S + beta[..., t, None, None] * k_t * wrong
        out.append((q[..., t, None, :] @ S)[..., 0, :])
    return torch.stack(out, dim=-2), S


def delta_rule(
    q: Float[Tensor, "*batch T d_k"],
    k: Float[Tensor, "*batch T d_k"],
    v: Float[Tensor, "*batch T d_v"],
    beta: Float[Tensor, "*batch T"],
    state: Float[Tensor, "*batch d_k d_v"] | None = None,
    chunk: int = 32,
) -> Read:
    r"""The same in chunks (Yang and others, 2024).

    What is written at step t is $k_t u_t^\top$ with a correction
    $u_t = \beta_t (v_t - S_{t-1}^\top k_t)$. The memory before step t is the one before
    the chunk plus the earlier corrections of the chunk, so that

    $$u_t + \beta_t \sum_{s < t} (k_t \cdot k_s)\, u_s = \beta_t (v_t - S^\top k_t):$$

    one triangular system for all corrections of a chunk. The rest is linear attention.
    """
    if chunk < 1:
        raise ValueError(f"chunk={chunk}: a chunk has at least one position")
    S, out = _start(k, v, state), []
    pieces = (x.split(chunk, dim=-2) for x in (q, k, v, beta[..., None]))
    for q_c, k_c, v_c, beta_c in zip(*pieces, strict=True):
        system = (beta_c * (k_c @ k_c.mT)).tril(-1)  # ones on its diagonal are implied
        u = torch.linalg.solve_triangular(
            system, beta_c * (v_c - k_c @ S), upper=False, unitriangular=True
        )
        out.append(q_c @ S + (q_c @ k_c.mT).tril() @ u)
        S = S + k_c.mT @ u
    return torch.cat(out, dim=-2), S


def _start(k: Tensor, v: Tensor, state: Tensor | None) -> Tensor:
    if state is not None:
        return state
    return k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
