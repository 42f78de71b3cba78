"""Autograd knows the way back."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_norm_backward
# fails: norm_input, norm_weights
# message: write it out: grad does what this question asks you for

import torch


def layer_norm_backward(dy, x, gamma, eps=1e-5):
    x, gamma = x.clone().requires_grad_(), gamma.clone().requires_grad_()
    beta = torch.zeros_like(gamma).requires_grad_()
    y = layer_norm(x, gamma, beta, eps)
    return torch.autograd.grad(y, (x, gamma, beta), dy)
