"""Runs of lectures 13 and 13b that take too long for a page, kept in two tables.

`python benchmarks/memorisation.py` makes them again: ten seeds of every kind. The
lectures train one of them anew and hold it beside its row.

    plain                  all copies of every key, at widths 16, 32 and 64
    deduplicated           lines that share 20 letters with an earlier one left out
    private                DP-SGD with noise sigma; 0 is clipping alone, without noise
    private, deduplicated  both remedies
    alone                  the key with one copy is the only one that is planted
    among other lines      as alone, and in place of each other key a line of the manual
                           that is repeated as often
    three times as long    as plain, at width 16, for 600 steps
    weight decay           as plain, and every step takes a hundredth off all weights
    stopped at 16          as plain, stopped early: after 16, 34 and 47 steps the
                           perplexity is that of noise 4, 1 and 0.5
"""

import csv
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

import numpy as np

from course_lib.data import manual
from course_lib.models.canaries import COPIES, PROMPTS, times

RUNS = Path(__file__).with_name("canary_runs.tsv")
PROGRESS = Path(__file__).with_name("canary_progress.tsv")
WINDOW = 20  # letters that two lines may not share after deduplication
STOPS = (16, 34, 47)  # where ordinary training is as good as with noise 4, 1, 0.5
LOOKS = (0, 10, 25, 50, 100, 150, 200)  # steps at which a run is looked at
HEADER = ("kind", "seed", "d", "sigma", "perplexity", "membership", *map(str, COPIES))


class Run(NamedTuple):
    """One trained model, and what it remembers."""

    kind: str
    seed: int
    d: int
    sigma: float
    perplexity: float  # on lines that it has not read
    membership: float  # P(loss of a line that was read < loss of a new line)
    exposures: dict[int, float]  # bits, by the copies that were planted
    recited: tuple[int, ...]  # copies of the keys that it recites word for word


class Look(NamedTuple):
    """A plain run on its way."""

    seed: int
    step: int
    perplexity: float
    many: float  # exposure of the key with 32 copies
    one: float  # exposure of the key with one copy


def one_key_alone(lines: Sequence[str], seed: int) -> list[str]:
    """The text without any key but the one that has one copy."""
    prompt = PROMPTS[times(seed).index(1)]
    return [line for line in lines if line.startswith(prompt) or " key is " not in line]


def one_key_among_others(lines: Sequence[str], seed: int) -> list[str]:
    """As `one_key_alone`; each other key becomes a line of the manual, as often."""
    found = [line for part in manual.load(seed=0).train for line in wrap(part, 32)]
    more = [line for line in found[1000:] if len(line) >= 20]
    drawn = np.random.default_rng(seed).choice(more, size=len(COPIES), replace=False)
    others = [
        line
        for line, copies in zip(map(str, drawn), COPIES, strict=True)
        for _ in range(copies if copies > 1 else 0)
    ]
    return one_key_alone(lines, seed) + others


def runs(kind: str, d: int = 32, sigma: float = 0.0, path: Path = RUNS) -> list[Run]:
    """The stored runs of one kind, by seed."""
    return [r for r in read(path) if (r.kind, r.d, r.sigma) == (kind, d, sigma)]


def exposures(found: Sequence[Run]) -> np.ndarray:
    """-> (runs, 7), a column for each of COPIES"""
    return np.array([[run.exposures[t] for t in COPIES] for run in found])


def read(path: Path = RUNS) -> list[Run]:
    """Every stored run, in the table's order."""
    with path.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [
        Run(
            *(row[0], int(row[1]), int(row[2]), float(row[3])),
            *(float(row[4]), float(row[5])),
            exposures=dict(zip(COPIES, map(float, row[6:13]), strict=True)),
            recited=tuple(map(int, row[13].split())),
        )
        for row in rows
    ]


def write(found: Sequence[Run], path: Path = RUNS) -> None:
    """The table, in the order of the runs."""
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow((*HEADER, "recited"))
        for run in found:
            bits = [f"{run.exposures[t]:.4f}" for t in COPIES]
            shares = [f"{run.perplexity:.4f}", f"{run.membership:.4f}"]
            recited = " ".join(map(str, run.recited))
            writer.writerow((*run[:4], *shares, *bits, recited))


def looks(path: Path = PROGRESS) -> list[Look]:
    """The plain runs of width 32 on their way: a row for each seed and step."""
    with path.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [Look(int(row[0]), int(row[1]), *map(float, row[2:])) for row in rows]


def write_looks(found: Sequence[Look], path: Path = PROGRESS) -> None:
    """As `write`."""
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(Look._fields)
        writer.writerows(
            (*look[:2], *(f"{value:.4f}" for value in look[2:])) for look in found
        )
