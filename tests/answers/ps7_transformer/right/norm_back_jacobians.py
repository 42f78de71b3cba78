"""The Jacobian of every vector, and a product with it."""

# replaces: answer_norm_backward

import torch


def layer_norm_backward(dy, x, gamma, eps=1e-5):
    d = x.shape[-1]
    dx, d_gamma, d_beta = [], torch.zeros(d).to(x), torch.zeros(d).to(x)
    for up, row in zip(dy.reshape(-1, d), x.reshape(-1, d), strict=True):
        root = torch.sqrt(row.var(correction=0) + eps)
        x_hat = (row - row.mean()) / root
        J = torch.eye(d).to(x) - 1 / d - torch.outer(x_hat, x_hat) / d
        dx.append((up * gamma) @ J / root)
        d_gamma += up * x_hat
        d_beta += up
    return torch.stack(dx).reshape(x.shape), d_gamma, d_beta
