"""Time the Transformer of the course beside its peers, with and without its cache.

    python benchmarks/transformer.py            print the tables
    python benchmarks/transformer.py --write    also put them into benchmarks/README.md

Four questions: what a training step of an encoder layer costs beside torch's own, and
one of a whole GPT beside that of transformers (gpt_step.py), what the key-value cache
buys when words are written one by one, and after how many seconds of training the
models of lectures 07, 08 and 10 translate 99 % of the thread's test pairs. All but the
last take turns (turns.py) and must agree before they are timed.
"""

import argparse
import platform
import sys
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import gpt_step
from page import README, write_block
from turns import Run, medians  # before torch: it sets the number of threads

# isort: split
import torch
from torch import Tensor, nn

from course_lib import running_task
from course_lib.models import from_torch
from course_lib.models.additive import AttentionSeq2Seq
from course_lib.models.attention import causal_mask
from course_lib.models.seq2seq import Seq2Seq
from course_lib.models.transformer import EncoderLayer, Transformer

LAYER_GOAL, CACHE_GOAL, ENOUGH = 1.1, 5.0, 0.99
CACHE_LAYERS = 4
BUDGETS = (100, 150, 200, 300, 450, 700, 1000, 1500, 2200)  # steps of a whole cycle


def training_step(layer: nn.Module, output: Callable, x: Tensor, dy: Tensor) -> Run:
    """One step of Adam on the loss dy . y; returns y and the gradient of x."""
    optimiser = torch.optim.Adam(layer.parameters(), lr=0.0)  # stays comparable
    x = x.clone().requires_grad_()

    def run() -> tuple[Tensor, Tensor]:
        optimiser.zero_grad()
        x.grad = None
        y = output(layer(x))
        y.backward(dy)
        optimiser.step()
        return y, x.grad

    return run


def layer_pairs(B: int, N: int, d: int) -> dict[str, tuple[Run, Run]]:
    """Ours beside torch's with the same weights, pre-norm and post-norm."""
    pairs = {}
    for norm_first in (True, False):
        theirs = nn.TransformerEncoderLayer(
            d, 4, 4 * d, 0.0, batch_first=True, norm_first=norm_first
        )
        ours = from_torch.encoder_layer(theirs)
        x, dy = torch.randn(2, B, N, d)
        pair = (
            training_step(ours, lambda out: out.output, x, dy),
            training_step(theirs, lambda out: out, x, dy),
        )
        agree("encoder layers", pair)
        pairs["pre-norm" if norm_first else "post-norm"] = pair
    return pairs


def writing(layers: nn.ModuleList, table: nn.Embedding, length: int) -> Run:
    """Write `length` words one by one, all layers seeing the whole prefix again."""

    @torch.no_grad()
    def run() -> Tensor:
        words = torch.zeros(1, 1, dtype=torch.int64)
        for n in range(1, length + 1):
            x = table(words)
            for layer in layers:
                x = layer(x, causal_mask(n)).output
            words = next_word(words, x, table)
        return words

    return run


def writing_with_cache(layers: nn.ModuleList, table: nn.Embedding, length: int) -> Run:
    """The same words, with the keys and values of earlier positions kept."""

    @torch.no_grad()
    def run() -> Tensor:
        words = torch.zeros(1, 1, dtype=torch.int64)
        past = [None] * len(layers)
        for _ in range(length):
            x = table(words[:, -1:])
            for number, layer in enumerate(layers):
                x, past[number], *_ = layer(x, past=past[number])
            words = next_word(words, x, table)
        return words

    return run


def next_word(words: Tensor, x: Tensor, table: nn.Embedding) -> Tensor:
    scores = x[:, -1] @ table.weight.T
    return torch.cat([words, scores.argmax(dim=1, keepdim=True)], dim=1)


def cache_pair(d: int, layers: int, length: int) -> tuple[Run, Run]:
    """Without the cache, and with it: the ratio is the gain in words per second."""
    stack = nn.ModuleList(EncoderLayer(d, 4, 4 * d) for _ in range(layers)).eval()
    table = nn.Embedding(997, d)
    pair = writing(stack, table, length), writing_with_cache(stack, table, length)
    if not torch.equal(pair[0](), pair[1]()):
        raise SystemExit("with and without cache other words are written: not timed")
    return pair


def agree(what: str, pair: tuple[Run, Run]) -> None:
    """A race between two different functions proves nothing."""
    for left, right in zip(*(run() for run in pair), strict=True):
        error = ((left - right).abs().max() / right.abs().max()).item()
        if not error < 1e-4:
            raise SystemExit(f"the {what} disagree by {error:.1e}: nothing was timed")


def thread_models() -> dict[str, tuple[Callable[[], nn.Module], dict]]:
    data = running_task.load()
    sizes = len(data.english), len(data.french)
    return {
        "07 plain LSTM": (lambda: Seq2Seq(*sizes, 32, 64), {}),
        "07 LSTM, input reversed": (lambda: Seq2Seq(*sizes, 32, 64, True), {}),
        "08 additive attention": (lambda: AttentionSeq2Seq(*sizes), {"batch": 64}),
        "10 Transformer": (lambda: Transformer(*sizes), {"lr": 3e-3}),
    }


def seconds_to_reach(
    make: Callable[[], nn.Module], options: dict, budgets=BUDGETS
) -> tuple[int, float, float]:
    """The shortest whole training that reaches 99 %: (steps, seconds, exact match).

    The learning rate follows one cycle over the steps, so a longer training is another
    training: each budget starts anew, and its own seconds count.
    """
    for steps in budgets:
        torch.manual_seed(0)
        model, begun = make(), time.process_time()
        running_task.fit(model, running_task.load().train, steps, **options)
        seconds = time.process_time() - begun
        exact = running_task.measure("", "", model, seconds).exact
        if exact >= ENOUGH:
            break
    return steps, seconds, exact


def report(options: argparse.Namespace) -> str:
    """Four small tables in Markdown."""
    torch.manual_seed(0)
    B, N, d = options.size
    named = layer_pairs(B, N, d)
    rows = medians([*named.values()], options.repeats)
    version = f"torch {torch.__version__.split('+')[0]}, {platform.machine()}"
    lines = [
        f"Training step of one encoder layer, batch {B}, {N} positions, width {d}, "
        f"4 heads, float32, one thread, medians of {options.repeats} turns; {version}.",
        "",
        "| library layer beside nn.TransformerEncoderLayer | ours, ms | theirs, ms "
        "| ratio | goal |",
        "|---|---:|---:|---:|---|",
    ]
    for name, (ours, theirs, ratio) in zip(named, rows, strict=True):
        verdict = "met" if ratio <= LAYER_GOAL else "**missed**"
        lines.append(
            f"| {name} | {1e3 * ours:.1f} | {1e3 * theirs:.1f} | {ratio:.2f} "
            f"| at most {LAYER_GOAL:g}: {verdict} |"
        )
    lines += gpt_step.lines(options.gpt, max(1, options.repeats // 2))
    return "\n".join([*lines, *cache_lines(options), *thread_lines(options)])


def cache_lines(options: argparse.Namespace) -> list[str]:
    lines = [
        "",
        f"Words written per second by {CACHE_LAYERS} layers, 4 heads, one sequence.",
        "",
        "| width | words | without cache | with cache | gain | goal |",
        "|---:|---:|---:|---:|---:|---|",
    ]
    for d, length in product((options.size[2], 2 * options.size[2]), options.lengths):
        pair = cache_pair(d, CACHE_LAYERS, length)
        ((without, cached, gain),) = medians([pair], max(1, options.repeats // 10))
        goal = ""
        if length == 256:
            verdict = "met" if gain >= CACHE_GOAL else "**missed**"
            goal = f"at least {CACHE_GOAL:g}: {verdict}"
        lines.append(
            f"| {d} | {length} | {length / without:.0f} | {length / cached:.0f} "
            f"| {gain:.1f} | {goal} |"
        )
    return lines


def thread_lines(options: argparse.Namespace) -> list[str]:
    """Nothing if no training was asked for."""
    if not options.budgets:
        return []
    lines = [
        "",
        f"Shortest training after which {ENOUGH:.0%} of the thread's test pairs are "
        "right (one seed, one thread; every budget is a training of its own).",
        "",
        "| model | steps | seconds | exact match |",
        "|---|---:|---:|---:|",
    ]
    for name, (make, settings) in thread_models().items():
        steps, seconds, exact = seconds_to_reach(make, settings, options.budgets)
        reached = f"{seconds:.0f}" if exact >= ENOUGH else f"not in {seconds:.0f}"
        lines.append(f"| {name} | {steps} | {reached} | {exact:.1%} |")
    return lines


def gpt_shape(text: str) -> tuple[int, int, int]:
    """Batch, positions and width, as in 12,64,128."""
    B, N, d = map(int, text.split(","))
    if min(B, N, d) < 1 or d % gpt_step.HEADS:
        raise ValueError(text)
    return B, N, d


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=60, help="turns (default 60)")
    parser.add_argument(
        "--size", type=int, nargs=3, default=(32, 64, 128), metavar=("B", "N", "D")
    )
    parser.add_argument(
        "--gpt", type=gpt_shape, nargs="*", default=gpt_step.SHAPES, metavar="B,N,D"
    )
    parser.add_argument("--lengths", type=int, nargs="*", default=[64, 256])
    parser.add_argument(
        "--budgets", type=int, nargs="*", default=BUDGETS, help="steps of training"
    )
    parser.add_argument("--write", action="store_true", help="update README.md")
    parser.add_argument("--readme", type=Path, default=README, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if min(options.repeats, *options.size, *options.lengths, *options.budgets) < 1:
        parser.error("repeats, sizes, lengths and budgets must be at least 1")
    torch.set_num_threads(1)
    text = report(options)
    print(text)
    if options.write:
        write_block(options.readme, "transformer", text)


if __name__ == "__main__":
    main(sys.argv[1:])
