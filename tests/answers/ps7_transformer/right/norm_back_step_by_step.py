"""Back through the graph, one operation after the other, in NumPy and float32."""

# replaces: answer_norm_backward

import numpy as np


def layer_norm_backward(dy, x, gamma, eps=1e-5):
    dy, x, gamma = (np.asarray(a.numpy(), dtype=np.float32) for a in (dy, x, gamma))
    d, last = x.shape[-1], {"axis": -1, "keepdims": True}
    centred = x - x.mean(**last)
    inverse = 1 / np.sqrt((centred**2).mean(**last) + eps)
    d_hat = dy * gamma
    d_inverse = (d_hat * centred).sum(**last)
    d_variance = -0.5 * d_inverse * inverse**3
    d_centred = d_hat * inverse + d_variance * 2 * centred / d
    dx = d_centred - d_centred.mean(**last)
    rest = tuple(range(x.ndim - 1))
    return dx, (dy * centred * inverse).sum(axis=rest), dy.sum(axis=rest)
