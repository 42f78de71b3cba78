r"""Many small recurrent networks trained at once, one slot for each on a leading axis.

One run proves little: the next seed may tell another story. With an extra axis in
front, $W_h$ of shape (M, d_h, d_h), a batched product serves M networks. They never
meet: the weights of network m appear in loss m alone, so the gradient of the *sum* of
the losses is, in slot m, the gradient of loss m. Adam works entry by entry, and
gradients are clipped slot by slot. A test compares a slot with `nn.RNN`. Lecture 03.
"""

from collections.abc import Callable, Iterable

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy
from torch.optim import Optimizer

from course_lib.data.tasks import adding, recall
from course_lib.train import progress

Weights = dict[str, Tensor]
Step = Callable[[Weights, Tensor, Tensor], Tensor]  # weights, state, what enters
Draw = Callable[[int], tuple[Tensor, Tensor]]  # a batch size to inputs and targets
Losses = Callable[[Tensor, Tensor], Tensor]  # outputs and targets to one loss each


def new_networks(
    W_h: Float[Tensor, "M d_h d_h"], generator: Generator, d_x: int = 9, d_y: int = 4
) -> Weights:
    """One network for each W_h; W_x and W_y as PyTorch draws them, biases 0."""
    M, d_h, _ = W_h.shape
    weights = {
        "W_h": W_h,
        "W_x": uniform((M, d_h, d_x), d_h, generator),
        "b_h": torch.zeros(M, 1, d_h),
        "W_y": uniform((M, d_y, d_h), d_h, generator),
        "b_y": torch.zeros(M, 1, d_y),
    }
    return {name: value.clone().requires_grad_() for name, value in weights.items()}


def uniform(shape: tuple[int, ...], d_h: int, generator: Generator) -> Tensor:
    r"""Entries drawn evenly between $\pm 1 / \sqrt{d_h}$, the default of `nn.RNN`."""
    return (2 * torch.rand(shape, generator=generator) - 1) / d_h**0.5


def tanh_step(
    weights: Weights, h: Float[Tensor, "M B d_h"], u_t: Float[Tensor, "M B d_h"]
) -> Float[Tensor, "M B d_h"]:
    """h_t = tanh(W_h h_{t-1} + u_t)."""
    return torch.tanh(torch.baddbmm(u_t, h, weights["W_h"].mT))


def relu_step(
    weights: Weights, h: Float[Tensor, "M B d_h"], u_t: Float[Tensor, "M B d_h"]
) -> Float[Tensor, "M B d_h"]:
    """h_t = max(0, W_h h_{t-1} + u_t)."""
    return torch.relu(torch.baddbmm(u_t, h, weights["W_h"].mT))


def read(
    weights: Weights, x: Float[Tensor, "M B T d_x"], step: Step = tanh_step
) -> Float[Tensor, "M B d_y"]:
    """The outputs W_y h_T + b_y after the last step."""
    M, B, T, _ = x.shape
    entering = x.flatten(1, 2) @ weights["W_x"].mT + weights["b_h"]
    h = torch.zeros(M, B, entering.shape[-1])
    for u_t in entering.view(M, B, T, -1).unbind(2):
        h = step(weights, h, u_t)
    return h @ weights["W_y"].mT + weights["b_y"]


def recall_batches(M: int, length: int, generator: Generator) -> Draw:
    """Draws, for each of M networks, a batch of its own: a letter, distractors, `?`."""

    def draw(B: int) -> tuple[Tensor, Tensor]:
        x, y_star = recall(generator, M * B, gap=length - 2)
        return x.view(M, B, length, -1), y_star.view(M, B)

    return draw


def adding_batches(M: int, length: int, generator: Generator) -> Draw:
    """Draws, for each of M networks, a batch of numbers, two of them marked."""

    def draw(B: int) -> tuple[Tensor, Tensor]:
        x, y_star = adding(generator, M * B, length)
        return x.view(M, B, length, 2), y_star.view(M, B)

    return draw


def cross_entropies(
    logits: Float[Tensor, "M B K"], y_star: Int[Tensor, "M B"]
) -> Float[Tensor, " M"]:
    """The mean cross-entropy of each network."""
    return cross_entropy(logits.mT, y_star, reduction="none").mean(dim=1)


def squared_errors(
    y_hat: Float[Tensor, "M B 1"], y_star: Float[Tensor, "M B"]
) -> Float[Tensor, " M"]:
    """The mean squared error of each network."""
    return ((y_hat[..., 0] - y_star) ** 2).mean(dim=1)


def fit(
    weights: Weights,
    draw: Draw,
    losses: Losses = cross_entropies,
    step: Step = tanh_step,
    clip: float | Tensor = torch.inf,
    steps: int = 300,
    optimiser: Optimizer | None = None,
) -> Float[Tensor, "steps M"]:
    """Train M networks side by side, 32 examples each; the norms of all gradients.

    clip is one threshold, or one for each network. Without an optimiser: Adam, 0.005.
    """
    optimiser = optimiser or torch.optim.Adam(weights.values(), lr=0.005)
    history = []
    for _ in progress(range(steps), "training"):
        x, y_star = draw(32)
        optimiser.zero_grad()
        losses(read(weights, x, step), y_star).sum().backward()
        history.append(clip_each(weights.values(), clip))
        optimiser.step()
    return torch.stack(history)


def clip_each(
    weights: Iterable[Tensor], clip: float | Tensor = torch.inf
) -> Float[Tensor, " M"]:
    """Shorten the gradient of each of M networks to its threshold; the norms before."""
    gradients = [w.grad for w in weights if w.grad is not None]
    norms = torch.stack([g.flatten(1).norm(dim=1) for g in gradients]).norm(dim=0)
    shrink = torch.clamp(clip / norms, max=1.0)
    for g in gradients:
        g *= shrink.view(-1, *[1] * (g.dim() - 1))
    return norms


@torch.no_grad()
def accuracies(
    weights: Weights, draw: Draw, step: Step = tanh_step, batch: int = 200
) -> Float[Tensor, " M"]:
    """The share of right answers of each network, on new examples."""
    x, y_star = draw(batch)
    return (read(weights, x, step).argmax(dim=2) == y_star).float().mean(dim=1)
