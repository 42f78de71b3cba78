"""Sines and cosines come from NumPy, and so does the rest."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_rotary
# fails: rotary, relative
# message: no gradient comes through


def rotate(x, n):
    x = x.detach().numpy()
    angle = n.numpy()[:, None] * 10_000.0 ** (
        -np.arange(0, x.shape[-1], 2) / x.shape[-1]
    )
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = np.stack(
        [
            even * np.cos(angle) - odd * np.sin(angle),
            even * np.sin(angle) + odd * np.cos(angle),
        ],
        axis=-1,
    )
    return torch.tensor(turned.reshape(x.shape))
