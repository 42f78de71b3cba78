"""A grammar of requests: an operation and a few letters, and the one right answer.

    reverse c a d   ->   d a c

A request stands in three kinds of text. A *worked* line gives the answer behind "=", a
*quiz* lists requests and answers none, and a *chat* has the template of an assistant:

    <text> reverse c a d = d a c .
    <text> reverse c a d ? sort b a ?
    <user> reverse c a d <assistant> d a c <end>

Lists of two to four letters, one in ten of them kept back from all training, whatever
the operation. Lecture 12b.
"""

import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Int
from numpy.random import Generator
from torch import Tensor

LETTERS = tuple("abcdefgh")
LENGTHS = (2, 3, 4)
OPERATIONS: dict[str, Callable[[list[str]], list[str]]] = {
    "reverse": lambda x: x[::-1],
    "sort": sorted,
    "first": lambda x: x[:1],
    "last": lambda x: x[-1:],
    "double": lambda x: [letter for letter in x for _ in range(2)],
    "swap": lambda x: [x[-1], *x[1:-1], x[0]],
    "rotate": lambda x: [*x[1:], x[0]],
}
NEW = "rotate"  # in no text of the base model
KNOWN = tuple(name for name in OPERATIONS if name != NEW)

PAD, TEXT, USER, ASSISTANT, END = "<pad>", "<text>", "<user>", "<assistant>", "<end>"
TOKENS = (PAD, TEXT, USER, ASSISTANT, END, "=", "?", ".", *OPERATIONS, *LETTERS)
NUMBER = {token: number for number, token in enumerate(TOKENS)}


class Request(NamedTuple):
    """What is asked: an operation, and the letters it is done with."""

    operation: str
    letters: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        return [self.operation, *self.letters]

    @property
    def answer(self) -> list[str]:
        return OPERATIONS[self.operation](list(self.letters))


def kept_back(letters: Sequence[str]) -> bool:
    """One list in ten, by a checksum: no training text holds it."""
    return zlib.crc32(" ".join(letters).encode()) % 10 == 0


def drawn(
    rng: Generator,
    count: int,
    operations: Sequence[str] = KNOWN,
    test: bool = False,
    lengths: Sequence[int] = LENGTHS,
) -> list[Request]:
    """Random requests, for training or, with other lists, for the test."""
    found: list[Request] = []
    while len(found) < count:
        length = lengths[int(rng.integers(len(lengths)))]
        letters = tuple(LETTERS[n] for n in rng.integers(len(LETTERS), size=length))
        if kept_back(letters) == test:
            name = operations[int(rng.integers(len(operations)))]
            found.append(Request(name, letters))
    return found


def worked(request: Request) -> list[str]:
    return [TEXT, *request.words, "=", *request.answer, "."]


def quiz(requests: Iterable[Request]) -> list[str]:
    return [TEXT, *(word for r in requests for word in [*r.words, "?"])]


def chat(request: Request) -> list[str]:
    return [USER, *request.words, ASSISTANT, *request.answer, END]


def rows(texts: Sequence[Sequence[str]]) -> Int[Tensor, "B N"]:
    """Texts as numbers, filled up with padding."""
    width = max(map(len, texts))
    filled = [[NUMBER[w] for w in [*t, *[PAD] * (width - len(t))]] for t in texts]
    return torch.tensor(filled)


def is_answer(tokens: Int[Tensor, "B N"]) -> Bool[Tensor, "B N"]:
    """True behind <assistant>, <end> included: what an assistant has to write."""
    opened = tokens == NUMBER[ASSISTANT]
    return (opened.cumsum(dim=1) > 0) & ~opened & (tokens != NUMBER[PAD])


def library_text(rng: Generator, count: int) -> list[list[str]]:
    """What the base model reads: three worked lines to one quiz, known operations."""
    requests = drawn(rng, 2 * count)
    return [
        quiz(requests[2 * n : 2 * n + 2])
        if rng.random() < 0.25
        else worked(requests[2 * n])
        for n in range(count)
    ]
