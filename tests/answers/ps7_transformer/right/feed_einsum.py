"""Two sums over indices."""

# replaces: answer_feed

import torch


def feed_forward(x, w):
    a = torch.einsum("...d,fd->...f", x, w["W_1"]) + w["b_1"]
    return torch.einsum("...f,df->...d", a * (a > 0), w["W_2"]) + w["b_2"]
