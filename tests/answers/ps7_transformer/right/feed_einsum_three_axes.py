"""einsum with the letters of (B, N, d)."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_feed

import torch


def feed_forward(x, w):
    h = torch.einsum("bnd,fd->bnf", x, w["W_1"]) + w["b_1"]
    return torch.einsum("bnf,df->bnd", torch.clamp(h, min=0), w["W_2"]) + w["b_2"]
