"""Single precision, query by query, with the sums over the keys made once."""

# replaces: answer_linear

import numpy as np


def linear_attention(phi_q, phi_k, v):
    phi_q, phi_k, v = (np.asarray(a, dtype=np.float32) for a in (phi_q, phi_k, v))
    summed, total = np.einsum("bkm,bkd->bmd", phi_k, v), phi_k.sum(axis=1)
    top = np.einsum("bnm,bmd->bnd", phi_q, summed)
    return top / np.einsum("bnm,bm->bn", phi_q, total)[..., None]
