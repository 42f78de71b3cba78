"""Time the recurrent cells of the course beside torch.nn and beside plain autograd.

    python benchmarks/recurrent.py            print the table
    python benchmarks/recurrent.py --write    also put it into benchmarks/README.md

Every row times a forward and a backward pass (gradients of all weights and of x) of two
programs that take turns (turns.py). Two more rows time whole training steps of a model
of letters (letters.py). Before anything is timed, each pair must agree in values and
gradients.
"""

import argparse
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from page import README, write_block
from turns import medians  # before NumPy and torch: it sets the number of threads

# isort: split
import letters
import numpy as np
import torch
from torch import nn

from course_lib import numpy_cells as cells
from course_lib.models.recurrent import Cell, GRUCell, from_torch
from course_lib.numpy_cells import torch_weights

# runs once forward and backward; returns what is compared, by default h, dW_h and dx
Run = Callable[[], tuple]


@dataclass(frozen=True)
class Row:
    ours: str
    theirs: str
    goal: float  # the largest ratio aimed at
    run_ours: Run
    run_theirs: Run
    same: bool = True  # whether both compute the same function
    compared: tuple[str, str, str] = ("h", "dW_h", "dx")


def torch_run(model: Callable, weight: nn.Parameter, x, dh) -> Run:
    """model(x) and backward; `weight` is the parameter whose gradient is compared."""
    x = x.clone().requires_grad_()
    parameters = [weight, x]
    if isinstance(owner := getattr(model, "__self__", model), nn.Module):
        parameters += owner.parameters()

    def run() -> tuple:
        for parameter in parameters:
            parameter.grad = None
        h = model(x)[0]
        h.backward(dh)
        return h, weight.grad, x.grad

    return run


def numpy_run(name: str, weights, x: torch.Tensor, dh: torch.Tensor) -> Run:
    forward = getattr(cells, f"{name}_forward")
    backward = getattr(cells, f"{name}_backward")
    x, dh = x.numpy(), dh.numpy()

    def run() -> tuple:
        h, *_, cache = forward(weights, x)
        grads, dx, _ = backward(weights, cache, dh)
        return h, grads.W_h, dx

    return run


def rows(B: int, T: int, d: int) -> list[Row]:
    """All comparisons for x (B, T, d) and d units, float32."""
    torch.manual_seed(0)
    x, dh = torch.randn(B, T, d), torch.randn(B, T, d)
    modules = {
        k: getattr(nn, k)(d, d, batch_first=True) for k in ("RNN", "LSTM", "GRU")
    }
    models = {k: from_torch(module) for k, module in modules.items()}
    cell: dict[str, Cell] = {k: model.layers[0].cell for k, model in models.items()}
    arrays = {k: torch_weights.from_torch(modules[k]) for k in ("RNN", "LSTM")}

    nn_run = {k: torch_run(m, m.weight_hh_l0, x, dh) for k, m in modules.items()}
    library = {k: torch_run(m, cell[k].W_h, x, dh) for k, m in models.items()}
    unroll = {k: torch_run(cell[k].unroll, cell[k].W_h, x, dh) for k in cell}
    by_hand = {k: numpy_run(k.lower(), arrays[k], x, dh) for k in arrays}
    course_gru = GRUCell(d, d)
    course_gru_run = torch_run(course_gru.run, course_gru.W_h, x, dh)
    return [
        Row("NumPy RNN", "nn.RNN", 1.5, by_hand["RNN"], nn_run["RNN"]),
        Row("NumPy LSTM", "nn.LSTM", 2, by_hand["LSTM"], nn_run["LSTM"]),
        Row("library RNN", "nn.RNN", 1.5, library["RNN"], nn_run["RNN"]),
        Row("library LSTM", "nn.LSTM", 1.5, library["LSTM"], nn_run["LSTM"]),
        Row("library GRU, as torch", "nn.GRU", 1.5, library["GRU"], nn_run["GRU"]),
        Row("library GRU", "nn.GRU", 1.5, course_gru_run, nn_run["GRU"], same=False),
        Row("NumPy RNN", "autograd, unrolled", 1, by_hand["RNN"], unroll["RNN"]),
        Row("NumPy LSTM", "autograd, unrolled", 1, by_hand["LSTM"], unroll["LSTM"]),
        Row("library LSTM", "autograd, unrolled", 1, library["LSTM"], unroll["LSTM"]),
    ]


def check_agreement(row: Row) -> None:
    """A race between two different functions proves nothing."""
    if not row.same:
        return
    ours, theirs = row.run_ours(), row.run_theirs()
    for name, left, right in zip(row.compared, ours, theirs, strict=True):
        left, right = (np.asarray(torch.as_tensor(a).detach()) for a in (left, right))
        if name == "dW_h":  # torch stacks the blocks in another order
            left, right = np.sort(left, axis=0), np.sort(right, axis=0)
        error = np.abs(left - right).max() / np.abs(right).max()
        if not error < 1e-4:
            raise SystemExit(
                f"{row.ours} and {row.theirs} disagree in {name} by {error:.1e} "
                "(relative): nothing was timed"
            )


def letter_rows(B: int, T: int, d: int) -> list[Row]:
    """Whole training steps: one-hot letters in, cross-entropy, clipping, Adam."""
    compared = ("loss", "dW_h", "dW_y")
    return [
        Row(
            f"NumPy letter {kind}",
            f"nn.{kind}, Linear, Adam",
            {"RNN": 1.5, "LSTM": 2}[kind],
            *letters.both(kind, B, T, d),
            compared=compared,
        )
        for kind in ("RNN", "LSTM")
    ]


def report(what: str, table: list[Row], results: list, size, n: int) -> str:
    """A Markdown table with a line that says what was measured."""
    B, T, d = size
    versions = f"torch {torch.__version__.split('+')[0]}, NumPy {np.__version__}"
    lines = [
        f"{what}, batch {B}, {T} steps, width {d}, float32, one thread, "
        f"processor time, medians of {n} turns; {versions}, {platform.machine()}.",
        "",
        "| ours | compared with | ours, ms | theirs, ms | ratio | goal |",
        "|---|---|---:|---:|---:|---|",
    ]
    for row, (ours, theirs, ratio) in zip(table, results, strict=True):
        verdict = "met" if ratio <= row.goal else "**missed**"
        times = f"{1e3 * ours:.1f} | {1e3 * theirs:.1f} | {ratio:.2f}"
        lines.append(
            f"| {row.ours} | {row.theirs} | {times} | at most {row.goal:g}: {verdict} |"
        )
    return "\n".join(lines)


def measured(what: str, table: list[Row], size, repeats: int) -> str:
    """Check, then time all rows in turns, then report."""
    for row in table:
        check_agreement(row)
    results = medians([(row.run_ours, row.run_theirs) for row in table], repeats)
    return report(what, table, results, size, repeats)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=60, help="turns (default 60)")
    parser.add_argument(
        "--size", type=int, nargs=3, default=(32, 100, 64), metavar=("B", "T", "D")
    )
    parser.add_argument(
        "--letters", type=int, nargs=3, default=(32, 50, 128), metavar=("B", "T", "D")
    )
    parser.add_argument("--write", action="store_true", help="update README.md")
    parser.add_argument("--readme", type=Path, default=README, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if min(options.repeats, *options.size, *options.letters) < 1:
        parser.error(
            f"repeats {options.repeats}, size {options.size} and letters "
            f"{options.letters} must be >= 1"
        )
    torch.set_num_threads(1)
    text = "\n\n".join(
        measured(what, table, size, options.repeats)
        for what, table, size in (
            ("Forward and backward", rows(*options.size), options.size),
            (
                "Training step on letters",
                letter_rows(*options.letters),
                options.letters,
            ),
        )
    )
    print(text)
    if options.write:
        write_block(options.readme, "recurrent", text)


if __name__ == "__main__":
    main(sys.argv[1:])
