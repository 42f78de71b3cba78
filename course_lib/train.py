"""The training loop of the course: one function, one progress bar."""

import os
from collections.abc import Callable, Iterable

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler, OneCycleLR
from tqdm.auto import tqdm

Schedule = Callable[[Optimizer, int], LRScheduler]  # made for a number of steps


def progress(steps: Iterable, label: str) -> Iterable:
    """A progress bar that disappears when it is full.

    `./course tidy` and the tests set COURSE_QUIET=1, so that nothing of the bar is
    stored in a notebook or compared with one.
    """
    quiet = os.environ.get("COURSE_QUIET") == "1"
    return tqdm(steps, desc=label, leave=False, disable=quiet)


def one_cycle(optimiser: Optimizer, steps: int) -> LRScheduler:
    """The rate rises to its value for a tenth of the steps, then falls to nothing.

    The momentum goes the other way round: least where the rate is greatest.
    """
    peak = optimiser.param_groups[0]["lr"]
    return OneCycleLR(optimiser, peak, total_steps=steps, pct_start=0.1)


def train(
    parameters: Iterable[Tensor],
    loss_of_step: Callable[[int], Tensor],
    steps: int,
    lr: float = 1e-2,
    clip: float | None = None,
    schedule: Schedule | None = None,
    label: str = "training",
) -> list[float]:
    r"""Minimise with Adam; return the loss of every step.

    loss_of_step  takes the step's number and returns a scalar tensor. It may draw a new
                  batch each time, or close over one fixed batch.
    clip          the largest gradient norm; longer gradients are scaled down to it:
                  $g \leftarrow g \cdot \min(1, \text{clip} / \lVert g \rVert)$.

    schedule      changes the rate from step to step, as `one_cycle` does; without one
                  it stays at lr.

    A loss that is not finite stops the run with the number of the step, because every
    later step would only repeat it.
    """
    parameters = list(parameters)
    if not parameters:
        raise ValueError("train() was given no parameters: nothing could change")
    optimiser = torch.optim.Adam(parameters, lr=lr)
    rates = None if schedule is None else schedule(optimiser, steps)
    history = []
    for step in progress(range(steps), label):
        optimiser.zero_grad()
        loss = loss_of_step(step)
        if not torch.isfinite(loss):
            raise ValueError(f"the loss became {loss.item()} at step {step} of {steps}")
        loss.backward()
        if clip is not None:
            torch.nn.utils.clip_grad_norm_(parameters, clip)
        optimiser.step()
        if rates is not None:
            rates.step()
        history.append(loss.item())
    return history
