"""Pages about invented fruits, for the task in the prompt. Lecture 11.

A page is a few sentences and then rows of a table:

    from the south pink lorip sour . grey tazo sweet by the river . | tazo sweet | …

Every page draws its fruits, colours and flavours anew, so nothing about a fruit can be
kept in weights: what a page says stands on that page alone. Sentences have between four
and ten words, and the rows stand in an order of their own, so that a row's place in the
table says nothing about where its sentence is. A table lists the flavours, the word
after the fruit, or the colours, the word before it; which of the two is not said.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from numpy.random import Generator
from torch import Tensor

from course_lib.data.vocabulary import PAD, Vocabulary

FRUITS = [a + b for a in ("lo", "ta", "mi", "zu") for b in ("rip", "zo", "nee", "lum")]
COLOURS = ["pink", "grey", "green", "white", "black", "brown", "blue", "gold"]
FLAVOURS = ["sweet", "sour", "tart", "bland", "salty", "bitter", "spicy", "mild"]
PHRASES = [
    ["at", "the", "market"],
    ["from", "the", "south"],
    ["by", "the", "river"],
    ["in", "the", "rain"],
]
WORDS = Vocabulary(
    [*FRUITS, *COLOURS, *FLAVOURS, *dict.fromkeys(sum(PHRASES, [])), ".", "|"]
)
COLOUR, FLAVOUR = "colour", "flavour"


@dataclass(frozen=True)
class Page:
    """A text and the table that follows it; `order` says which sentence a row asks."""

    text: list[str]
    table: list[str]
    order: list[int]

    @property
    def words(self) -> list[str]:
        return self.text + self.table


def page(
    rng: Generator,
    task: str,
    order: Sequence[int] | None = None,
    fruits: int = 4,
    again: int = 0,
) -> Page:
    """One page at random.

    task    what the table lists, COLOUR or FLAVOUR.
    order   the sentences that the rows ask for, from 0; all of them at random if None.
    again   so many further rows, which repeat some of the first ones.
    """
    names = rng.permutation(FRUITS)[:fruits]
    colours, flavours = rng.choice(COLOURS, fruits), rng.choice(FLAVOURS, fruits)
    text: list[str] = []
    for colour, name, flavour in zip(colours, names, flavours, strict=True):
        before, after = (_phrase(rng) for _ in range(2))
        text += [*before, str(colour), str(name), str(flavour), *after, "."]
    rows = rng.permutation(fruits).tolist() if order is None else list(order)
    rows += rng.integers(fruits, size=again).tolist()
    listed = {COLOUR: colours, FLAVOUR: flavours}[task]
    table = ["|"]
    for row in rows:
        table += [str(names[row]), str(listed[row]), "|"]
    return Page(text, table, rows)


def _phrase(rng: Generator) -> list[str]:
    """One of the phrases, or nothing, as often."""
    return PHRASES[rng.integers(len(PHRASES))] if rng.random() < 0.5 else []


def batch(
    pages: Sequence[Page],
) -> tuple[Int[Tensor, "B N"], Bool[Tensor, "B N"]]:
    """Token ids, padded, and True at the answers of the tables."""
    longest = max(len(p.words) for p in pages)
    tokens = torch.full((len(pages), longest), PAD)
    answers = torch.zeros(len(pages), longest, dtype=torch.bool)
    for number, p in enumerate(pages):
        ids = [WORDS.ids[word] for word in p.words]
        tokens[number, : len(ids)] = torch.tensor(ids)
        answers[number, len(p.text) + 2 : len(ids) : 3] = True
    return tokens, answers
