"""The variance as the mean of squares less the square of the mean."""

# replaces: answer_norm

import torch


def layer_norm(x, gamma, beta, eps=1e-5):
    d = x.shape[-1]
    mean = torch.einsum("...d->...", x)[..., None] / d
    variance = torch.einsum("...d,...d->...", x, x)[..., None] / d - mean**2
    scale = torch.rsqrt(variance.clamp(min=0) + eps)
    return torch.addcmul(beta, gamma, (x - mean) * scale)
