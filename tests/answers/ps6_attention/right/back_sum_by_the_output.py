"""The sum of a times da is the output times its gradient."""

# replaces: answer_back

import numpy as np


def attention_backward(q, k, v, weights, d_output):
    output = np.einsum("bnm,bmd->bnd", weights, v)
    mean = np.einsum("bnd,bnd->bn", output, d_output)
    d_a = np.einsum("bnd,bmd->bnm", d_output, v)
    d_e = weights * (d_a - mean[..., None])
    scale = 1 / np.sqrt(q.shape[-1])
    dq = scale * np.einsum("bnm,bmd->bnd", d_e, k)
    dk = scale * np.einsum("bnm,bnd->bmd", d_e, q)
    return [dq, dk, np.einsum("bnm,bnd->bmd", weights, d_output)]
