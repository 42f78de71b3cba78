r"""Real English: the prose of the Python manual that ships with Python itself.

Data: `pydoc_data.topics`, the texts behind Python's own `help()`; licence: PSF-2.0.

`help("for")` prints one of about eighty topics. From these we keep paragraphs of prose,
once each (the topics overlap), and leave out code, grammar and tables. Every Python
release has a slightly different manual, so numbers that depend on the text move a
little with the release; the alphabet does not. Introduced in lecture 06.
"""

import importlib
import re
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from course_lib.data.installed import MissingDataError

LETTERS = "\n" + "".join(chr(code) for code in range(32, 127))  # end, then ASCII
PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "ß": "ss"}
)
SHORTEST = 80  # characters; shorter paragraphs are headings and fragments


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
    try:
        topics = importlib.import_module("pydoc_data.topics").topics
    except ImportError:
        raise MissingDataError(
            "the Python manual (pydoc_data) was left out of this Python: install the "
            "full standard library, for example from python.org or conda"
        ) from None
    found = [text for name in sorted(topics) for text in prose(topics[name])]
    return list(dict.fromkeys(found))  # once each, in order


def prose(topic: str) -> list[str]:
    """The paragraphs of prose of one topic, each on one line, without its bullet."""
    blocks = re.split(r"\n\s*\n", topic.translate(PLAIN))
    texts = [" ".join(block.split()).removeprefix("* ") for block in blocks]
    return [text for text in texts if is_prose(text)]


def is_prose(text: str) -> bool:
    """Starts with a capital, ends like a sentence, is made of words, says enough."""
    words = sum(letter.isalpha() or letter == " " for letter in text)
    return (
        len(text) >= SHORTEST
        and text[0].isupper()
        and text[-1] in ".:"
        and words >= 0.88 * len(text)
        and all(letter in _INDEX for letter in text)
    )


def encode(text: str) -> Tensor:
    """Letters to numbers 0 … 95.  -> (len(text),)"""
    try:
        return torch.tensor([_INDEX[letter] for letter in text], dtype=torch.long)
    except KeyError as unknown:
        raise ValueError(
            f"the letter {unknown} is not in the alphabet of {len(LETTERS)} symbols "
            "(newline and printable ASCII)"
        ) from None


def decode(numbers) -> str:
    """Numbers back to letters; the inverse of `encode`."""
    return "".join(LETTERS[int(i)] for i in numbers)


def stream(parts: tuple[str, ...]) -> Tensor:
    """Paragraphs as one long row of numbers, a newline after each."""
    return encode("".join(part + "\n" for part in parts))


_INDEX = {letter: i for i, letter in enumerate(LETTERS)}
