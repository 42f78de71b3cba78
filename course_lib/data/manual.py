r"""Real English: the prose of the Python manual, as Python 3.11 prints it.

Data: python_manual/topics.txt, made by freeze_manual.py from `pydoc_data.topics`, the
texts behind Python's own `help()`; licence: PSF-2.0, python_manual/LICENSE.txt.

`help("for")` prints one of about eighty topics. From these we keep paragraphs of prose,
once each (the topics overlap), and leave out code, grammar and tables. The text is kept
in a file, because every Python release has a slightly different manual. Introduced in
lecture 11.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

TOPICS = Path(__file__).with_name("python_manual") / "topics.txt"
LETTERS = "\n" + "".join(chr(code) for code in range(32, 127))  # end, then ASCII


@dataclass(frozen=True)
class Manual:
    """Paragraphs to learn from and paragraphs kept back, one string each."""

    train: tuple[str, ...]
    test: tuple[str, ...]


def load(seed: int = 0, test_share: float = 0.1) -> Manual:
    """The paragraphs, shuffled with this seed and split."""
    found = paragraphs()
    order = np.random.default_rng(seed).permutation(len(found))
    kept_back = round(test_share * len(found))
    shuffled = [found[i] for i in order]
    return Manual(tuple(shuffled[kept_back:]), tuple(shuffled[:kept_back]))


def paragraphs() -> list[str]:
    """Every paragraph of prose, once, in the order of the topics' names."""
    found = [text for topic in topics().values() for text in topic]
    return list(dict.fromkeys(found))  # once each, in order


@cache
def topics() -> dict[str, tuple[str, ...]]:
    """The paragraphs of each topic, by its name; topics quote each other."""
    _, *parts = TOPICS.read_text(encoding="utf8").split("\n\n")
    rows = [part.splitlines() for part in parts]
    return {name.strip("[]"): tuple(texts) for name, *texts in rows}


def encode(text: str) -> Tensor:
    """Letters to numbers 0 … 95.  -> (len(text),)"""
    try:
        return torch.tensor([_INDEX[letter] for letter in text], dtype=torch.long)
    except KeyError as unknown:
        raise ValueError(
            f"the letter {unknown} is not in the alphabet of {len(LETTERS)} symbols "
            "(newline and printable ASCII)"
        ) from None


def decode(numbers: Iterable[int]) -> str:
    """Numbers back to letters; the inverse of `encode`."""
    return "".join(LETTERS[int(i)] for i in numbers)


def stream(parts: Iterable[str]) -> Tensor:
    """Paragraphs as one long row of numbers, a newline after each."""
    return encode("".join(part + "\n" for part in parts))


_INDEX = {letter: i for i, letter in enumerate(LETTERS)}
