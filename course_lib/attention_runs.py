"""Runs of lecture 08 that take too long for a page, kept in two tables.

`python benchmarks/attention_runs.py` makes them again. The lecture trains one of the
models anew and holds it beside its row.
"""

import csv
from collections import Counter
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
    steps: int = 200  # of training


def ablation() -> list[Result]:
    """Every run on the thread: eight models, about equal in parameters."""
    return running_task.runs(ABLATION)


def alignments(steps: int = 200) -> list[Alignment]:
    """Every run of so many steps on the grammar's sentences: four models."""
    with ALIGNMENTS.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    found = []
    for model, seed, *shares, trained in rows:
        exact, every, content, small = map(float, shares)
        found.append(
            Alignment(model, int(seed), exact, every, content, small, int(trained))
        )
    return [run for run in found if run.steps == steps]


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


def counted(learn: tuple[Pair, ...], pairs: tuple[Pair, ...]) -> list[np.ndarray]:
    """Looks without a model: the English word that most often comes with the French.

    Of sentences that hold e, and those that hold f, which share holds both? That is
    Dice's coefficient, 2 n(e, f) / (n(e) + n(f)), counted on the training pairs.
    """
    english, french, both = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    for pair in learn:
        e_words, f_words = set(pair.english), set(pair.french)
        english.update(e_words)
        french.update(f_words)
        both.update((e, f) for e in e_words for f in f_words)

    def dice(e: str, f: str) -> float:
        return 2 * both[e, f] / max(1, english[e] + french[f])

    return [
        np.array([np.argmax([dice(e, f) for e in pair.english]) for f in pair.french])
        for pair in pairs
    ]


def chance(pairs: tuple[Pair, ...]) -> tuple[float, float, float]:
    """The shares that a look at a random word, <eos> included, would expect."""
    found: dict[bool, list[float]] = {False: [], True: []}
    for pair in pairs:
        linked = pair.matrix.sum(axis=1) / (len(pair.english) + 1)
        for word, share in zip(pair.french, linked, strict=True):
            found[word in SMALL].append(float(share))
    content, small = (float(np.mean(found[kind])) for kind in (False, True))
    return float(np.mean(found[False] + found[True])), content, small
