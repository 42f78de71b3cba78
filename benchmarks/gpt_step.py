"""A training step of the library's GPT beside transformers' GPT2LMHeadModel.

Part of benchmarks/transformer.py. Both start with the same weights and must agree in
the loss and in every gradient before they are timed.
"""

from collections.abc import Callable

from turns import Run, medians  # before torch: it sets the number of threads

# isort: split
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.models import from_gpt2

GOAL = 1.0
SHAPES = ((12, 64, 128), (12, 128, 192))  # batch, positions, width; nanoGPT's on a CPU
LAYERS = HEADS = 4
VOCABULARY = 65


def their_gpt2(positions: int, width: int) -> nn.Module:
    """A GPT-2 of this size with fresh weights, without dropout."""
    from transformers import GPT2Config, GPT2LMHeadModel

    ends = {"bos_token_id": 0, "eos_token_id": 0}
    drops = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}
    sizes = {"n_positions": positions, "n_embd": width}
    sizes |= {"n_layer": LAYERS, "n_head": HEADS, "vocab_size": VOCABULARY}
    return GPT2LMHeadModel(GPT2Config(**sizes, **drops, **ends))


def step(model: nn.Module, loss_of: Callable[[], Tensor]) -> Callable[[], Tensor]:
    """One step of Adam; the rate is 0, so that both models stay comparable."""
    optimiser = torch.optim.Adam(model.parameters(), lr=0.0)

    def run() -> Tensor:
        optimiser.zero_grad()
        loss = loss_of()
        loss.backward()
        optimiser.step()
        return loss

    return run


def pair(B: int, N: int, d: int) -> tuple[Run, Run]:
    """Ours and theirs with copied weights, on the same batch."""
    theirs = their_gpt2(N, d)
    ours = from_gpt2.gpt(theirs)
    rows = torch.randint(VOCABULARY, (B, N + 1))

    def their_loss() -> Tensor:
        logits = theirs(input_ids=rows[:, :-1], use_cache=False).logits
        return F.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten())

    runs = step(ours, lambda: ours.loss(rows)), step(theirs, their_loss)
    losses = [run() for run in runs]
    require("losses", losses[0], losses[1])
    grads = {
        name: p.grad for name, p in theirs.named_parameters() if p.grad is not None
    }
    twins = from_gpt2.renamed(grads, LAYERS)
    largest = max(
        twin.abs().max() for twin in twins.values()
    )  # that of b_k is only noise
    for name, p in ours.named_parameters():
        require(f"gradients of {name}", p.grad, twins[name], largest)
    return runs


def require(
    what: str, ours: Tensor, theirs: Tensor, scale: Tensor | None = None
) -> None:
    """A race between two different functions proves nothing."""
    size = theirs.abs().max() if scale is None else scale
    error = ((ours - theirs).abs().max() / size).item()
    if not error < 1e-4:
        raise SystemExit(f"the {what} differ by {error:.1e}: nothing was timed")


def lines(shapes: tuple, repeats: int) -> list[str]:
    """A small table in Markdown."""
    rows = medians([pair(*shape) for shape in shapes], repeats)
    table = [
        "",
        f"Training step of the library's GPT beside transformers' GPT2LMHeadModel, "
        f"{LAYERS} layers, {HEADS} heads, copied weights, equal loss and gradients, "
        f"medians of {repeats} turns; other work ran beside.",
        "",
        "| batch, positions, width | ours, ms | theirs, ms | ratio | goal |",
        "|---|---:|---:|---:|---|",
    ]
    for (B, N, d), (ours, theirs, ratio) in zip(shapes, rows, strict=True):
        verdict = "met" if ratio <= GOAL else "**missed**"
        table.append(
            f"| {B}, {N}, {d} | {1e3 * ours:.1f} | {1e3 * theirs:.1f} | {ratio:.2f} "
            f"| at most {GOAL:g}: {verdict} |"
        )
    return table
