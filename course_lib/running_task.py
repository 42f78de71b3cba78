r"""The thread of the course: one task, one metric, two tests, one table.

English number words to French, the same pairs in lectures 07, 08, 10, 11, 15, 17. A
translation counts only if every token of it is right (exact match). There are two test
sets: *seen lengths*, drawn as the training pairs were (1 to 14 English words), and
*longer* than any training pair (15 to 19 words, each of them known, see
data/number_words.py). The first asks whether a model has learned the task, the second
whether it has learned it as a rule that goes on. Which idea buys length (attention?
positions? recurrence?) is nowhere assumed here: a lecture that says so shows it, with
rows that differ in that idea alone.

`running_task.tsv` keeps every run: model, seed, parameters, pairs (drawn in training,
batch times steps, out of the same 20,000), steps, seconds (of one processor), exact
match on both tests and by length. Rows that claim a comparison are equal in parameters,
pairs and steps; `matched` says whether they are. The usual budget is STEPS of BATCH
pairs.

    result, history = trained("08", "additive attention", model, seed=0)
    print(table(so_far("08")))                  # rows of earlier lectures and this one
    show(*pictures.by_length([*so_far("07"), result]))

To add or renew a row: enter the model in MODELS of benchmarks/running_task.py, run
`python benchmarks/running_task.py "additive attention"` (three seeds; a run of the same
lecture, model and seed is replaced) and commit the table. The lecture then trains one
seed anew and holds the result beside the row.
"""

import csv
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
STEPS, BATCH, RATE = 700, 32, 1e-2  # the usual training
# English tokens in the input, without <eos>: shortest and longest of each group
GROUPS = ((1, 4), (5, 6), (7, 8), (9, 10), (11, 12), (13, 14))
LONGER_GROUPS = ((15, 16), (17, 19))
LABELS, LONGER_LABELS = (
    tuple(f"{low}-{high}" for low, high in groups) for groups in (GROUPS, LONGER_GROUPS)
)
LONGEST_OUTPUT = 28  # tokens; the longest translation has 24, <eos> included
NUMBERS = ("parameters", "pairs", "steps")
SHARES = ("seen", "longer", *LABELS, *LONGER_LABELS)
HEADER = ("lecture", "model", "seed", *NUMBERS, "seconds", *SHARES)


@dataclass(frozen=True)
class Result:
    """A run, or the mean of several runs of one model; shares between 0 and 1."""

    lecture: str
    model: str
    parameters: int
    seconds: float
    exact: float  # on lengths seen in training
    by_length: tuple[float, ...]  # one share for each of GROUPS
    longer: float  # on sentences longer than any in training
    longer_by_length: tuple[float, ...]  # one share for each of LONGER_GROUPS
    pairs: int = 0  # drawn in training: batch times steps
    steps: int = 0
    seeds: tuple[int, ...] = (0,)  # one for each run


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
    """The data of the thread: 20000 pairs to learn from, 1200 and 600 to test."""
    return number_words.load_lengths(seed=0, train=20_000, test=1_200, longer=600)


def fit(
    model: Translator,
    pairs: Pairs,
    steps: int = STEPS,
    seed: int = 0,
    batch: int = BATCH,
    lr: float = RATE,
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
def translate(
    model: Translator, source: Tensor, max_length: int = LONGEST_OUTPUT
) -> Tensor:
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


def measure(
    lecture: str, name: str, model: Translator, seconds: float, **how: Any
) -> Result:
    """Test a trained model on both test sets; `how`: pairs, steps, seeds."""
    data, shares = load(), []
    for test, groups in ((data.test, GROUPS), (data.longer, LONGER_GROUPS)):
        right = exact(translate(model, test.source), test.target)
        shares.append(right.double().mean().item())
        shares.append(by_length(right, test.source_lengths, groups))
    parameters = sum(p.numel() for p in model.parameters())
    return Result(lecture, name, parameters, seconds, *shares, **how)


def trained(
    lecture: str,
    name: str,
    model: Translator,
    steps: int = STEPS,
    seed: int = 0,
    batch: int = BATCH,
    lr: float = RATE,
) -> tuple[Result, list[float]]:
    """Fit on the thread and measure: the result, and the loss of every step.

    Seconds are those of the processor, so that a busy machine does not count.
    """
    begun = time.process_time()
    history = fit(model, load().train, steps, seed, batch, lr)
    seconds = time.process_time() - begun
    how = {"pairs": batch * steps, "steps": steps, "seeds": (seed,)}
    return measure(lecture, name, model, seconds, **how), history


def mean(results: list[Result]) -> Result:
    """Several runs of one model as one row: the mean of seconds and shares."""
    first = results[0]
    alike = lambda r: (r.lecture, r.model, r.parameters, r.pairs, r.steps)  # noqa: E731
    if len(set(map(alike, results))) > 1:
        raise ValueError(f"not runs of one model: {list(map(alike, results))}")
    average = lambda values: sum(values) / len(results)  # noqa: E731
    each = lambda rows: tuple(map(average, zip(*rows, strict=True)))  # noqa: E731
    return replace(
        first,
        seconds=average([r.seconds for r in results]),
        exact=average([r.exact for r in results]),
        longer=average([r.longer for r in results]),
        by_length=each([r.by_length for r in results]),
        longer_by_length=each([r.longer_by_length for r in results]),
        seeds=tuple(seed for r in results for seed in r.seeds),
    )


def matched(results: Sequence[Result], within: float = 0.05) -> bool:
    """Were these models trained alike?

    Equal steps and pairs, and parameters that differ by at most a share `within`.
    """
    sizes = [r.parameters for r in results]
    budgets = {(r.steps, r.pairs) for r in results}
    return len(budgets) == 1 and max(sizes) <= (1 + within) * min(sizes)


def runs(path: Path = TABLE) -> list[Result]:
    """Every run of the table, in the order of the lectures."""
    if not path.exists():
        return []
    with path.open(encoding="utf8", newline="") as file:
        return [_from_row(row) for row in csv.DictReader(file, delimiter="\t")]


def recorded(path: Path = TABLE) -> list[Result]:
    """The rows of the table, in its order; runs of one model as their mean."""
    models: dict[tuple[str, str], list[Result]] = {}
    for run in runs(path):
        models.setdefault((run.lecture, run.model), []).append(run)
    return [mean(of_model) for of_model in models.values()]


def so_far(lecture: str, path: Path = TABLE) -> list[Result]:
    """The rows up to and with this lecture: those a reader has met."""
    return [row for row in recorded(path) if row.lecture <= lecture]


def record(result: Result, path: Path = TABLE) -> None:
    """Add a run, or replace the run of the same lecture, model and seed."""
    if len(result.seeds) != 1:
        raise ValueError(f"one run at a time: {result.model} has seeds {result.seeds}")
    kept = runs(path)
    key = lambda r: (r.lecture, r.model, r.seeds)  # noqa: E731
    rows = [result if key(r) == key(result) else r for r in kept]
    if key(result) not in map(key, kept):
        rows.append(result)
    order = list(dict.fromkeys(r.model for r in rows))  # a lecture's own order is kept
    rows.sort(key=lambda r: (r.lecture, order.index(r.model), r.seeds))
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(map(_to_row, rows))


def _from_row(row: dict[str, str]) -> Result:
    shares = lambda labels: tuple(float(row[name]) for name in labels)  # noqa: E731
    return Result(
        row["lecture"],
        row["model"],
        int(row["parameters"]),
        float(row["seconds"]),
        float(row["seen"]),
        shares(LABELS),
        float(row["longer"]),
        shares(LONGER_LABELS),
        int(row["pairs"]),
        int(row["steps"]),
        (int(row["seed"]),),
    )


def _to_row(r: Result) -> list[str]:
    shares = (r.exact, r.longer, *r.by_length, *r.longer_by_length)
    numbers = (r.seeds[0], r.parameters, r.pairs, r.steps)
    return [
        *(r.lecture, r.model, *map(str, numbers), f"{r.seconds:.1f}"),
        *(f"{share:.4f}" for share in shares),
    ]


def table(results: list[Result]) -> str:
    """The results as text: one line per model, exact match in per cent."""
    wide = max((len(r.model) for r in results), default=5)
    titles = ("parameters", "pairs", "steps", "seconds", "runs", "seen", "longer")
    lines = [
        f"{'':{wide + 50}}exact match (%)",
        f"{'model':{wide}}" + "".join(f"{title:>{len(title) + 3}}" for title in titles),
    ]
    for r in results:
        values = (
            *(f"{r.parameters:,}", f"{r.pairs:,}", f"{r.steps}", f"{r.seconds:.0f}"),
            *(f"{len(r.seeds)}", f"{100 * r.exact:.0f}", f"{100 * r.longer:.0f}"),
        )
        cells = zip(titles, values, strict=True)
        lines.append(
            f"{r.model:{wide}}" + "".join(f"{v:>{len(t) + 3}}" for t, v in cells)
        )
    return "\n".join(lines)
