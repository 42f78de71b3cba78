"""A rotation is a product of complex numbers; scores from the difference alone."""

# replaces: answer_rotary

import torch


def rotate(x, n):
    pairs = torch.complex(x[..., 0::2], x[..., 1::2])
    omega = 10_000.0 ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    turned = pairs * torch.exp(1j * n[:, None] * omega)
    return torch.view_as_real(turned).reshape(x.shape)


# replaces: answer_relative
def rotary_scores(q, k, n, m):
    d = q.shape[-1]
    omega = 10_000.0 ** (-torch.arange(0, d, 2).double() / d)
    q, k = (torch.complex(x[..., 0::2], x[..., 1::2]) for x in (q, k))
    apart = torch.exp(1j * (n[:, None] - m)[..., None] * omega)  # (N, M, d / 2)
    products = q[..., :, None, :] * k.conj()[..., None, :, :] * apart
    return products.real.sum(dim=-1) / d**0.5
