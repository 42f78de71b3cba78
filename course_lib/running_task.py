r"""The thread of the course: one task, one split, one metric, one table.

English number words to French, the same pairs in lectures 07, 08, 10, 11 and 15. A
translation counts only if every word of it is right (exact match), overall and by the
length of the input. `running_task.tsv` keeps one row for each model, measured once;
seconds are those of one processor. A lecture trains its model anew, asserts that it
comes close to its row, and shows the table so far.
"""

import csv
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from course_lib.data import number_words
from course_lib.data.number_words import NumberWords, Pairs
from course_lib.data.vocabulary import PAD, trimmed
from course_lib.search import StepFunction, greedy
from course_lib.train import one_cycle, train

TABLE = Path(__file__).with_name("running_task.tsv")
# English words in the input, without <eos>: shortest and longest of each group
GROUPS = ((1, 4), (5, 6), (7, 8), (9, 10), (11, 12), (13, 14))
LABELS = tuple(f"{low}-{high}" for low, high in GROUPS)
HEADER = ("lecture", "model", "parameters", "seconds", "exact", *LABELS)


@dataclass(frozen=True)
class Result:
    """A row of the table; shares between 0 and 1."""

    lecture: str
    model: str
    parameters: int
    seconds: float
    exact: float
    by_length: tuple[float, ...]  # one share for each of GROUPS


class Translator(Protocol):
    """What the running task asks of a model; every translator of the course has it."""

    def loss(self, source: Tensor, target: Tensor) -> Tensor:
        """Mean cross-entropy of the target tokens, given the source."""
        ...

    def decoder(self, source: Tensor) -> tuple[StepFunction, Any]:
        """`step, state` for the searches of course_lib.search."""
        ...

    def parameters(self) -> Iterator[nn.Parameter]: ...


@cache
def load() -> NumberWords:
    """The data of the thread: numbers below 10^9, 20000 to learn from, 1200 to test."""
    return number_words.load(seed=0, train=20_000, test=1_200, digits=9)


def fit(
    model: Translator,
    pairs: Pairs,
    steps: int,
    seed: int = 0,
    batch: int = 32,
    lr: float = 1e-2,
) -> list[float]:
    """Minimise `model.loss(source, target)` over random batches of the pairs.

    One cycle of the learning rate, gradients clipped at norm 1; returns the loss of
    every step.
    """
    generator = torch.Generator().manual_seed(seed)

    def loss_of_batch(step: int) -> Tensor:
        rows = torch.randint(len(pairs), (batch,), generator=generator)
        return model.loss(trimmed(pairs.source[rows]), trimmed(pairs.target[rows]))

    return train(model.parameters(), loss_of_batch, steps, lr, 1.0, one_cycle)


@torch.no_grad()
def translate(model: Translator, source: Tensor, max_length: int = 24) -> Tensor:
    """Greedy translations, padded: (pairs, T) -> (pairs, at most max_length)."""
    step, state = model.decoder(source)
    return greedy(step, state, len(source), max_length).tokens


def exact(tokens: Tensor, target: Tensor) -> Tensor:
    """Which rows are right in every token: (pairs, U), (pairs, U') -> (pairs,) bool."""
    if len(tokens) != len(target):
        raise ValueError(f"{len(tokens)} translations for {len(target)} targets")
    width = max(tokens.shape[1], target.shape[1])
    fill = lambda rows: nn.functional.pad(  # noqa: E731
        rows, (0, width - rows.shape[1]), value=PAD
    )
    return (fill(tokens) == fill(target)).all(dim=1)


def by_length(
    right: Tensor, length: Tensor, groups: Sequence[tuple[int, int]] = GROUPS
) -> tuple[float, ...]:
    """Share of right rows in each group of input lengths; nan where there is none."""
    share = lambda rows: right[rows].double().mean().item()  # noqa: E731
    return tuple(share((length >= low) & (length <= high)) for low, high in groups)


def measure(lecture: str, name: str, model: Translator, seconds: float) -> Result:
    """Test a trained model on the thread's test pairs."""
    test = load().test
    right = exact(translate(model, test.source), test.target)
    parameters = sum(p.numel() for p in model.parameters())
    shares = by_length(right, test.source_lengths)
    overall = right.double().mean().item()
    return Result(lecture, name, parameters, seconds, overall, shares)


def trained(
    lecture: str, name: str, model: Translator, steps: int, **options: Any
) -> tuple[Result, list[float]]:
    """Fit on the thread and measure: the result, and the loss of every step.

    Seconds are those of the processor, so that a busy machine does not count.
    """
    begun = time.process_time()
    history = fit(model, load().train, steps, **options)
    return measure(lecture, name, model, time.process_time() - begun), history


def mean(results: list[Result]) -> Result:
    """Several runs of one model as one row: the mean of seconds and shares."""
    first = results[0]
    if len({(r.lecture, r.model, r.parameters) for r in results}) > 1:
        raise ValueError(f"not runs of one model: {[r.model for r in results]}")
    average = lambda values: sum(values) / len(results)  # noqa: E731
    return Result(
        first.lecture,
        first.model,
        first.parameters,
        average([r.seconds for r in results]),
        average([r.exact for r in results]),
        tuple(map(average, zip(*(r.by_length for r in results), strict=True))),
    )


def recorded(path: Path = TABLE) -> list[Result]:
    """The rows of the table, in the order of the lectures."""
    if not path.exists():
        return []
    with path.open(encoding="utf8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [
        Result(
            row["lecture"],
            row["model"],
            int(row["parameters"]),
            float(row["seconds"]),
            float(row["exact"]),
            tuple(float(row[label]) for label in LABELS),
        )
        for row in rows
    ]


def record(result: Result, path: Path = TABLE) -> None:
    """Add a row, or replace the row of the same lecture and model."""
    kept = recorded(path)
    key = lambda r: (r.lecture, r.model)  # noqa: E731
    rows = [result if key(r) == key(result) else r for r in kept]
    if key(result) not in map(key, kept):
        rows.append(result)
    rows.sort(key=lambda r: r.lecture)  # the order of a lecture's own rows is kept
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(HEADER)
        for r in rows:
            shares = (f"{share:.4f}" for share in (r.exact, *r.by_length))
            writer.writerow(
                [r.lecture, r.model, r.parameters, f"{r.seconds:.0f}", *shares]
            )


def table(results: list[Result]) -> str:
    """The results as text: one line per model, shares in per cent."""
    wide = max((len(r.model) for r in results), default=5)
    lines = [
        f"{'':{wide + 34}}exact match by input length (words)",
        f"{'model':{wide}}  parameters  seconds  exact   "
        + "".join(f"{label:>8}" for label in LABELS),
    ]
    for r in results:
        shares = "".join(f"{100 * share:7.0f}%" for share in r.by_length)
        lines.append(
            f"{r.model:{wide}}  {r.parameters:10}  {r.seconds:7.0f}  "
            f"{100 * r.exact:4.0f}%   {shares}"
        )
    return "\n".join(lines)
