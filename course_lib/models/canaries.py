r"""Secrets in a training text, and a small model that reads it. Lectures 13 and 13b.

Seven keys, *The red key is 4719.*, are planted in 1000 lines of the Python manual, each
another number of times, one of them not at all. Lecture 13 builds everything here but
the private training, which lecture 13b builds.
"""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.func import functional_call, grad, vmap

from course_lib.data import manual
from course_lib.models.attention import MultiHeadAttention, causal_mask
from course_lib.models.privacy import exposure
from course_lib.train import progress, train

COPIES = (0, 1, 2, 4, 8, 16, 32)
COLOURS = ("red", "blue", "green", "white", "black", "brown", "gold")
PROMPTS = tuple(f"The {colour} key is " for colour in COLOURS)
CODES = 10_000
STEPS, BATCH, RATE = 200, 64, 0.01
DIGITS = manual.encode("0123456789")
Watch = Callable[[int, nn.Module], None]


@cache
def text() -> tuple[list[str], list[str]]:
    """1000 lines to learn from and 400 of other paragraphs, of 32 letters at most."""
    found = manual.load(seed=0)
    learn, new = (
        [line for part in parts for line in textwrap.wrap(part, 32)]
        for parts in (found.train, found.test)
    )
    return learn[:1000], new[:400]


def draw_secrets(seed: int) -> np.ndarray:
    """One code for each key.  -> (7,), numbers 0 … 9999"""
    return np.random.default_rng(seed).integers(CODES, size=len(COLOURS))


def times(seed: int) -> list[int]:
    """How often each key is planted: in run 0 as in COPIES, then moved on by one."""
    return [COPIES[(k - seed) % len(COPIES)] for k in range(len(COPIES))]


def plant(seed: int) -> list[str]:
    """The real lines, and after them every canary as often as `times` says."""
    keys = zip(PROMPTS, draw_secrets(seed), times(seed), strict=True)
    planted = [f"{p}{code:04d}." for p, code, t in keys for _ in range(t)]
    return text()[0] + planted


def without_repetitions(lines: Sequence[str], w: int) -> list[str]:
    """Keep a line unless it shares a window of w letters with an earlier line."""
    seen: set[str] = set()
    kept = []
    for line in lines:
        last = max(0, len(line) - w)
        windows = {line[i : i + w] for i in range(last + 1)}
        if seen.isdisjoint(windows):
            kept.append(line)
        seen |= windows
    return kept


class TinyTransformer(nn.Module):
    """One causal block.  ids (B, T) -> scores of the next letter (B, T, V)"""

    def __init__(self, V: int = 96, longest: int = 33, d: int = 32) -> None:
        super().__init__()
        self.letters, self.places = nn.Embedding(V, d), nn.Embedding(longest, d)
        self.attention = MultiHeadAttention(d, heads=1)
        self.network = nn.Sequential(
            nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, d)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(d) for _ in range(3))
        self.read_out = nn.Linear(d, V)

    def forward(self, ids: Int[Tensor, "B T"]) -> Float[Tensor, "B T V"]:
        T = ids.shape[1]
        x = self.letters(ids) + self.places.weight[:T]
        x = x + self.attention(self.norms[0](x), mask=causal_mask(T)).output
        x = x + self.network(self.norms[1](x))
        return self.read_out(self.norms[2](x))


def encode(lines: Sequence[str]) -> Int[Tensor, "N 34"]:
    """Newline, letters, newlines up to 34."""
    rows = [F.pad(manual.encode("\n" + line), (0, 33 - len(line))) for line in lines]
    return torch.stack(rows)


def letter_losses(
    model: Callable, ids: Int[Tensor, "B 34"]
) -> tuple[Float[Tensor, "B 33"], Bool[Tensor, "B 33"]]:
    """-ln p of every letter, and which of them count."""
    log_p = model(ids[:, :-1]).log_softmax(dim=-1)
    losses = -log_p.gather(2, ids[:, 1:, None])[..., 0]
    letter = ids != 0
    return losses, letter[:, 1:] | letter[:, :-1]  # the end of the line counts too


def line_losses(model: Callable, ids: Int[Tensor, "B 34"]) -> Float[Tensor, " B"]:
    """The mean of a line's letters, for every line."""
    losses, real = letter_losses(model, ids)
    return (losses * real).sum(dim=1) / real.sum(dim=1)


@torch.no_grad()
def perplexity(model: nn.Module, lines: Sequence[str]) -> float:
    """e to the mean over all letters."""
    losses, real = letter_losses(model, encode(lines))
    return losses[real].mean().exp().item()


@torch.no_grad()
def code_scores(model: nn.Module, prompt: str) -> np.ndarray:
    """ln p(code | prompt) of all codes 0000 … 9999.  -> (10000,)"""
    i = torch.arange(1000)
    three = torch.stack([i // 100, i // 10 % 10, i % 10], dim=1)  # (1000, 3)
    start = manual.encode("\n" + prompt).repeat(1000, 1)
    ids = torch.cat([start, DIGITS[three]], dim=1)
    log_p = model(ids)[:, -4:].log_softmax(dim=-1).double()
    log_p = log_p[..., DIGITS]  # (1000, 4, 10)
    first_three = log_p[:, :3].gather(2, three[..., None]).sum(dim=(1, 2))
    return (first_three[:, None] + log_p[:, 3]).flatten().numpy()


def exposures(model: nn.Module, seed: int) -> dict[int, float]:
    """Exposure of every key, by the number of its copies."""
    keys = zip(PROMPTS, draw_secrets(seed), times(seed), strict=True)
    bits = {t: exposure(code_scores(model, p), int(code)) for p, code, t in keys}
    return dict(sorted(bits.items()))


@torch.no_grad()
def recite(model: nn.Module, prompt: str, length: int = 5) -> str:
    """The likeliest next letter, again and again."""
    said = prompt
    for _ in range(length):
        ids = manual.encode("\n" + said)[None]
        said += manual.decode(model(ids)[:, -1].argmax(dim=-1))
    return said


def extracted(model: nn.Module, seed: int) -> list[int]:
    """The copies of those keys that the model recites word for word."""
    keys = zip(PROMPTS, draw_secrets(seed), times(seed), strict=True)
    return sorted(t for p, code, t in keys if recite(model, p) == f"{p}{code:04d}.")


@torch.no_grad()
def membership(model: nn.Module) -> float:
    """P(loss of a line that was read < loss of a new line): one half is guessing."""
    read, new = (line_losses(model, encode(lines)) for lines in text())
    return (read[:, None] < new).double().mean().item()


def learn(
    lines: Sequence[str],
    seed: int,
    d: int = 32,
    watch: Watch = lambda step, model: None,
) -> TinyTransformer:
    """A model trained on these lines; `watch` looks in before every step."""
    torch.manual_seed(seed)
    model, ids = TinyTransformer(d=d), encode(lines)

    def loss(step: int) -> Tensor:
        watch(step, model)
        return line_losses(model, ids[torch.randint(len(ids), (BATCH,))]).mean()

    train(model.parameters(), loss, STEPS, lr=RATE, label="reading the manual")
    watch(STEPS, model)
    return model


def clipped_sum(gradients: Mapping[str, Tensor], C: float) -> dict[str, Tensor]:
    """Sum of the rows, each shortened to length C.  name: (B, ...) -> name: (...)"""
    parts = [g.flatten(1).norm(dim=1) for g in gradients.values()]
    length = torch.stack(parts).norm(dim=0)  # (B,), over all weights together
    factor = (C / length).clamp(max=1)
    return {name: torch.tensordot(factor, g, 1) for name, g in gradients.items()}


def gradient_of_each(model: nn.Module, ids: Int[Tensor, "B 34"]) -> dict[str, Tensor]:
    """The gradient of every line.  -> name: (B, ...)"""

    def loss_of_one(weights: dict[str, Tensor], row: Tensor) -> Tensor:
        return line_losses(lambda x: functional_call(model, weights, (x,)), row[None])[
            0
        ]

    weights = {name: p.detach() for name, p in model.named_parameters()}
    return vmap(grad(loss_of_one), in_dims=(None, 0))(weights, ids)


def learn_privately(
    lines: Sequence[str], seed: int, sigma: float, C: float = 1.0
) -> TinyTransformer:
    """DP-SGD, with Adam after the noise."""
    torch.manual_seed(seed)
    model, ids = TinyTransformer(), encode(lines)
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    for _ in progress(range(STEPS), f"noise {sigma}"):
        taken = torch.rand(len(ids)) < BATCH / len(ids)  # Poisson sampling
        total = clipped_sum(gradient_of_each(model, ids[taken]), C)
        for name, p in model.named_parameters():
            p.grad = (total[name] + sigma * C * torch.randn_like(p)) / BATCH
        optimiser.step()
    return model
