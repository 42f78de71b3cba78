r"""The LSTM over a whole sequence, with the hand-derived backward pass of lecture 04.

autograd records every operation of every step and adds up the gradient of $W_h$ step by
step. Knowing the backward pass, we can do better: keep the gates, go back once, and
form the gradient of each weight in one product. This is `numpy_cells/lstm.py`, step by
step the same, in torch. benchmarks/README.md states what it gains.

It can be differentiated once; asked for more it says so. For second derivatives use
`LSTMCell.unroll`, which autograd records.
"""

from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor


class LSTMByHand(torch.autograd.Function):
    """`apply(x, h_0, c_0, W_x, W_h, b_h)` gives h (B, T, d_h), h_T and c_T."""

    @staticmethod
    def forward(
        ctx: Any,
        x: Float[Tensor, "B T d_x"],
        h_0: Float[Tensor, "B d_h"],
        c_0: Float[Tensor, "B d_h"],
        W_x: Float[Tensor, "four_d_h d_x"],
        W_h: Float[Tensor, "four_d_h d_h"],
        b_h: Float[Tensor, " four_d_h"] | None,
    ) -> tuple[
        Float[Tensor, "B T d_h"], Float[Tensor, "B d_h"], Float[Tensor, "B d_h"]
    ]:
        (B, T, _), d_h = x.shape, W_h.shape[1]
        x = x.transpose(0, 1).contiguous()  # time first: one block of memory per step
        # W_x x_t + b_h for all steps at once; the loop turns it into the gates in place
        gates = F.linear(x, W_x, b_h)
        h, c = x.new_empty(T + 1, B, d_h), x.new_empty(T + 1, B, d_h)
        tanh_c = x.new_empty(T, B, d_h)
        h[0], c[0] = h_0, c_0

        # `unbind` makes all the views of single steps in one go: cheaper than indexing
        a, sigmoids = gates.unbind(0), gates[..., d_h:].unbind(0)
        c_tilde, f, i, o = (block.unbind(0) for block in gates.chunk(4, dim=2))
        h_at, c_at, tanh_c_at = h.unbind(0), c.unbind(0), tanh_c.unbind(0)
        W_h_T = W_h.T
        for t in range(T):
            # a_t = W_x x_t + b_h + W_h h_{t-1}    (h is one step ahead)
            a[t].addmm_(h_at[t], W_h_T)
            # c_tilde = tanh(a^c);  f, i, o = sigma(a^f), sigma(a^i), sigma(a^o)
            c_tilde[t].tanh_()
            sigmoids[t].sigmoid_()
            # c_t = f_t * c_{t-1} + i_t * c_tilde_t
            torch.mul(f[t], c_at[t], out=c_at[t + 1]).addcmul_(i[t], c_tilde[t])
            # h_t = o_t * tanh(c_t)
            torch.tanh(c_at[t + 1], out=tanh_c_at[t])
            torch.mul(o[t], tanh_c_at[t], out=h_at[t + 1])
        ctx.save_for_backward(x, W_x, W_h, gates, h, c, tanh_c)
        return h[1:].transpose(0, 1), h[T].clone(), c[T].clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple:
        if torch.is_grad_enabled():  # that is: create_graph=True
            raise RuntimeError(
                "LSTMByHand can be differentiated once, and create_graph=True asks for "
                "second derivatives: use LSTMCell.unroll instead of LSTMCell.run"
            )
        dh, dh_T, dc_T = gradients
        x, W_x, W_h, gates, h, c, tanh_c = ctx.saved_tensors
        T, B, d_h = tanh_c.shape
        da, dh_dc = local_slopes(gates, h, c, tanh_c)
        da_at, f = da.unbind(0), gates.chunk(4, dim=2)[1].unbind(0)
        da_c_f_i = da.view(T, B, 4, d_h)[:, :, :3].unbind(0)
        da_o = da[..., 3 * d_h :].unbind(0)
        dh_at, dh_dc_at = dh.unbind(1), dh_dc.unbind(0)

        dh_t, dc = dh_T, dc_T.clone()
        dc_for_blocks = dc[:, None]  # (B, 1, d_h), a view
        for t in reversed(range(T)):
            dh_t = dh_t + dh_at[t]
            # dc_t = f_{t+1} * dc_{t+1} + dh_t * o_t * (1 - tanh^2 c_t)
            dc.addcmul_(dh_t, dh_dc_at[t])
            # three paths lead through c_t, the fourth through o_t alone
            da_c_f_i[t].mul_(dc_for_blocks)
            da_o[t].mul_(dh_t)
            # dh_{t-1} = W_h^T da_t,  dc_{t-1} = f_t * dc_t
            dh_t = da_at[t] @ W_h
            dc.mul_(f[t])

        # dW = sum_t da_t (...)^T: one product over all steps and sequences
        da_rows = da.view(T * B, 4 * d_h)
        dx = (da @ W_x).transpose(0, 1) if ctx.needs_input_grad[0] else None
        dW_x = da_rows.T @ x.view(T * B, W_x.shape[1])
        dW_h = da_rows.T @ h[:-1].view(T * B, d_h)
        db_h = da_rows.sum(0) if ctx.needs_input_grad[5] else None
        return dx, dh_t, dc, dW_x, dW_h, db_h


def local_slopes(
    gates: Float[Tensor, "T B four_d_h"],
    h: Float[Tensor, "steps B d_h"],
    c: Float[Tensor, "steps B d_h"],
    tanh_c: Float[Tensor, "T B d_h"],
) -> tuple[Float[Tensor, "T B four_d_h"], Float[Tensor, "T B d_h"]]:
    r"""The factors that no later step can change, for all steps at once.

    First $\partial c_t/\partial a^c$, $\partial c_t/\partial a^f$,
    $\partial c_t/\partial a^i$, $\partial h_t/\partial a^o$, stacked as the gates; then
    $\partial h_t/\partial c_t$.
    `addcmul(a, b, c, value=-1)` is a - b c in one pass over memory.
    """
    c_tilde, _, i, o = gates.chunk(4, dim=2)
    # sigma' = sigma - sigma^2, then what the gate multiplies
    slopes = torch.addcmul(gates, gates, gates, value=-1)
    k_c, k_f, k_i, k_o = slopes.chunk(4, dim=2)
    k_f.mul_(c[:-1])
    k_i.mul_(c_tilde)
    k_o.mul_(tanh_c)
    # i tanh' = i - i c_tilde^2
    torch.addcmul(i, i * c_tilde, c_tilde, value=-1, out=k_c)
    # o (1 - tanh^2 c) = o - h tanh c, since h = o tanh c
    return slopes, torch.addcmul(o, h[1:], tanh_c, value=-1)
