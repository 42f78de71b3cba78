"""The rows of errata.tsv, with the function that settles each."""

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

import nbformat

from course_lib.errata import (
    attention,
    attention_layers,
    efficient_attention,
    gru,
    language_models,
    latent_sequences,
    looking_at_pictures,
    lstm,
    pretraining,
    seq2seq,
    sequences,
    sets,
    simple_rnn,
    state_spaces,
    transformer,
    vanishing_gradients,
    word_vectors,
)

TABLE = Path(__file__).with_name("errata.tsv")
NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
FACT = "a fact: "

# How an entry stands to the truth, from the gravest to none at all.
SORTS = {
    "wrong": "wrong as printed",
    "condition": "true under a condition that is not stated",
    "slip": "a slip of the pen",
    "name": "an unusual name",
    "convention": "a convention: both forms are right",
}


@dataclass(frozen=True)
class Entry:
    """One row: where it stands, what is printed, what holds, who settles it."""

    number: int
    kind: str  # error or convention
    sort: str  # a key of SORTS
    lecture: str  # 04_lstm
    section: str  # the heading in that lecture; empty if not known yet
    title: str
    printed: str
    holds: str
    check: str  # a name in CHECKS, or "a fact: " and the reference

    @property
    def is_fact(self) -> bool:
        """A name, a year: something one looks up and cannot compute."""
        return self.check.startswith(FACT)

    @property
    def address(self) -> str:
        """Lecture and section as JupyterLab links them: 04_lstm.ipynb#3.-The-cell"""
        place = quote(self.section.replace(" ", "-"), safe=".,:'")
        return f"{self.lecture}.ipynb" + (f"#{place}" if place else "")

    @property
    def place(self) -> str:
        """04 § 3"""
        found = re.match(r"\d+", self.section)
        number = self.lecture.split("_")[0]
        return number + (f" § {found[0]}" if found else "")


def ledger(lecture: str | None = None) -> list[Entry]:
    """All 91 entries, or those that one lecture settles, in order."""
    with TABLE.open(encoding="utf8", newline="") as file:
        lines = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(lines)
        rows = [Entry(int(number), *rest) for number, *rest in lines]
    if lecture is None:
        return rows
    chosen = [row for row in rows if row.lecture == lecture]
    if not chosen:
        known = ", ".join(sorted({row.lecture for row in rows}))
        raise ValueError(f"no entry is settled in {lecture!r}; lectures are {known}")
    return chosen


def checks_of(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The functions of a module whose description begins with the entry's number."""
    return {
        name: function
        for name, function in vars(module).items()
        if callable(function) and re.match(r"E\d+: ", function.__doc__ or "")
    }


MODULES = (
    sequences,
    simple_rnn,
    vanishing_gradients,
    lstm,
    gru,
    language_models,
    word_vectors,
    seq2seq,
    attention,
    looking_at_pictures,
    attention_layers,
    transformer,
    pretraining,
    sets,
    efficient_attention,
    state_spaces,
    latent_sequences,
)
CHECKS = {name: f for module in MODULES for name, f in checks_of(module).items()}


def settle(entry: Entry) -> str:
    """Run the entry's check and return its evidence; an AssertionError if it fails."""
    return entry.check if entry.is_fact else CHECKS[entry.check]()


def section_in(lecture: str, number: int) -> str | None:
    """The heading above the first cell tagged E<number>; None if there is none."""
    path, heading = NOTEBOOKS / f"{lecture}.ipynb", ""
    if not path.exists():
        return None
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            found = re.findall(r"^## (.+)$", cell.source, re.MULTILINE)
            heading = found[-1].strip() if found else heading
        elif f"E{number}" in cell.metadata.get("tags", []):
            return heading
    return None
