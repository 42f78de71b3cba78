"""Time the library's scan beside the Python loop and beside torch's LSTM.

    python benchmarks/scan.py            print the table
    python benchmarks/scan.py --write    also put it into benchmarks/README.md

Forward and backward over a whole sequence, width 64, float32, one thread, in turns
(turns.py). Loop and scan must agree in values and gradients before they are timed; the
LSTM computes something else, at the same width and length.
"""

import argparse
import platform
from collections.abc import Callable
from pathlib import Path

from page import README, write_block
from turns import medians  # before NumPy and torch: it sets the number of threads

# isort: split
import torch
from torch import nn

from course_lib.check import max_difference
from course_lib.models.scan import loop, scan

Run = Callable[[], tuple]  # once forward and backward: values and gradients
WIDTH = 64
SIZES = ((1, 1024), (1, 4096), (8, 1024), (8, 4096))  # sequences, steps
GOALS = {"Python loop": 0.5, "nn.LSTM": 1.0}  # largest ratio aimed at


def runs(B: int, T: int) -> tuple[Run, dict[str, Run]]:
    """The scan, and what it is compared with; each returns values and gradients."""
    torch.manual_seed(0)
    a, b = torch.rand(B, T, WIDTH), torch.randn(B, T, WIDTH)
    a.requires_grad_()
    b.requires_grad_()
    lstm, x = nn.LSTM(WIDTH, WIDTH, batch_first=True), torch.randn(B, T, WIDTH)
    inputs = [a, b]

    def linear(compute: Callable) -> Run:
        def run() -> tuple:
            h = compute(a, b)
            return h, *torch.autograd.grad(h.sum(), inputs)

        return run

    def recurrent() -> tuple:
        h = lstm(x)[0]
        return h, *torch.autograd.grad(h.sum(), list(lstm.parameters()))

    return linear(scan), {"Python loop": linear(loop), "nn.LSTM": recurrent}


def check(ours: Run, theirs: Run) -> None:
    """Stop unless the loop gives the same values and gradients."""
    for got, expected in zip(ours(), theirs(), strict=True):
        if max_difference(got, expected) > 1e-2 * float(expected.detach().abs().max()):
            raise SystemExit("scan and loop disagree")


def table(repeats: int, sizes=SIZES) -> str:
    """The measured table in Markdown."""
    lines = [
        f"Forward and backward, width {WIDTH}, float32, one thread, processor time, "
        f"medians of {repeats} turns; torch {torch.__version__.partition('+')[0]}, "
        f"{platform.machine()}.",
        "",
        "| sequences, steps | scan, ms | compared with | theirs, ms | ratio | goal |",
        "|---|---:|---|---:|---:|---|",
    ]
    for B, T in sizes:
        ours, others = runs(B, T)
        check(ours, others["Python loop"])
        timed = medians([(ours, other) for other in others.values()], repeats)
        for name, (own, their, ratio) in zip(others, timed, strict=True):
            met = "met" if ratio <= GOALS[name] else "**missed**"
            lines.append(
                f"| {B}, {T:,} | {1e3 * own:.1f} | {name} | {1e3 * their:.1f} "
                f"| {ratio:.2f} | at most {GOALS[name]:g}: {met} |"
            )
    return "\n".join(lines)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--readme", type=Path, default=README)
    parser.add_argument("--sizes", type=int, nargs="+", help="B T B T ...")
    options = parser.parse_args(words)
    torch.set_num_threads(1)
    flat = options.sizes
    sizes = SIZES if flat is None else tuple(zip(flat[::2], flat[1::2], strict=True))
    made = table(options.repeats, sizes)
    print(made)
    if options.write:
        write_block(options.readme, "scan", made)


if __name__ == "__main__":
    main()
