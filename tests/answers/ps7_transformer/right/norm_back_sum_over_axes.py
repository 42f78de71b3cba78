"""Sums over a tuple of all axes but the last."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_norm_backward


def layer_norm_backward(dy, x, gamma, eps=EPS):
    c = x - x.mean(-1, keepdim=True)
    s = (c.square().mean(-1, keepdim=True) + eps).sqrt()
    h, g = c / s, gamma * dy
    dx = (g - g.mean(-1, keepdim=True) - h * (g * h).mean(-1, keepdim=True)) / s
    axes = tuple(range(dy.dim() - 1))
    return dx, (dy * h).sum(dim=axes), dy.sum(dim=axes)
