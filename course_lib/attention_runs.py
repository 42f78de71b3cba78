"""Runs of lecture 08 that take too long for a page, kept in two tables.

`python benchmarks/attention_runs.py` makes them again. The lecture trains one of the
models anew and holds it beside its row.
"""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course_lib import running_task
from course_lib.data.reordering import Pair
from course_lib.running_task import Result

ABLATION = Path(__file__).with_name("attention_ablation.tsv")
ALIGNMENTS = Path(__file__).with_name("attention_alignments.tsv")
# French words that only serve others: articles, auxiliaries, negation, prepositions
SMALL = frozenset(
    ("le", "la", "l'", "les", "du", "de", "des", "a", "ont", "été")
    + ("ne", "n'", "pas", "en", "sur")
)


class Alignment(NamedTuple):
    """Where one trained model looked in the sentences that were kept back.

    The shares, of all French words, of words with content and of small words, count
    those whose largest weight lies on a word that the grammar links with them.
    """

    model: str
    seed: int
    exact: float  # sentences translated without a mistake
    all: float
    content: float
    small: float


def ablation() -> list[Result]:
    """Every run on the thread: eight models, about equal in parameters."""
    return running_task.runs(ABLATION)


def alignments() -> list[Alignment]:
    """Every run on the grammar's sentences: four models, five seeds each."""
    with ALIGNMENTS.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [Alignment(row[0], int(row[1]), *map(float, row[2:])) for row in rows]


def linked_shares(
    pairs: tuple[Pair, ...], looks: list[np.ndarray]
) -> tuple[float, float, float]:
    """The shares of an `Alignment`.

    looks  for each pair the English position that each French word looked at most
    """
    hits: dict[bool, list[bool]] = {False: [], True: []}
    for pair, places in zip(pairs, looks, strict=True):
        for i, (word, j) in enumerate(zip(pair.french, places, strict=True)):
            hits[word in SMALL].append((i, int(j)) in pair.links)
    content, small = (float(np.mean(hits[kind])) for kind in (False, True))
    return float(np.mean(hits[False] + hits[True])), content, small


def diagonal(pair: Pair) -> np.ndarray:
    """The English position beside each French word if both were stretched alike."""
    last = len(pair.english) - 1, len(pair.french) - 1
    return np.rint(np.arange(last[1] + 1) * last[0] / last[1]).astype(int)


def chance(pairs: tuple[Pair, ...]) -> tuple[float, float, float]:
    """The shares that a look at a random word, <eos> included, would expect."""
    found: dict[bool, list[float]] = {False: [], True: []}
    for pair in pairs:
        linked = pair.matrix.sum(axis=1) / (len(pair.english) + 1)
        for word, share in zip(pair.french, linked, strict=True):
            found[word in SMALL].append(float(share))
    content, small = (float(np.mean(found[kind])) for kind in (False, True))
    return float(np.mean(found[False] + found[True])), content, small
