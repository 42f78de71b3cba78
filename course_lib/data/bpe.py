r"""Byte-pair encoding: text as pieces that are common enough to have a number.

Start with single letters. Again and again, join the pair of neighbours that occurs most
often in the training text into a new token (Gage 1994; Sennrich, Haddow and Birch 2016,
arXiv:1508.07909). To encode, join in the same order. Pairs never cross the border
between two words, so the text is first cut into words, a space going with what follows.

Ties are broken by the order of the tokens, not by the order of a set, so every Python
learns the same merges. Introduced in lecture 06.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from itertools import chain

import numpy as np

WORDS = re.compile(r" ?'?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\n+|\s")
Pair = tuple[str, str]


def learn(text: str, count: int) -> tuple[Pair, ...]:
    """The first `count` pairs to join, the most frequent first.

    Of pairs that occur equally often, the alphabetically first is joined first.
    """
    words = Counter(WORDS.findall(text) if count else ())
    pieces = {word: tuple(word) for word in words}
    pairs, used_in = Counter(), defaultdict(set)  # how often; in which words
    for word, times in words.items():
        _add(pieces[word], word, times, pairs, used_in)
    merges = []
    for _ in range(count):
        if not pairs:
            raise ValueError(f"{len(merges)} pairs are all this text has, not {count}")
        most = max(pairs.values())
        best = min(pair for pair, times in pairs.items() if times == most)
        merges.append(best)
        for word in used_in.pop(best):
            _add(pieces[word], word, -words[word], pairs, used_in)
            pieces[word] = join(pieces[word], best)
            _add(pieces[word], word, words[word], pairs, used_in)
    return tuple(merges)


def _add(
    pieces: tuple[str, ...], word: str, times: int, pairs: Counter, used_in: dict
) -> None:
    """Count the pairs of one word; with negative `times`, take them back."""
    for pair in zip(pieces, pieces[1:], strict=False):
        pairs[pair] += times
        used_in[pair].add(word)
        if not pairs[pair]:
            del pairs[pair]


def join(pieces: tuple[str, ...], pair: Pair) -> tuple[str, ...]:
    """The pieces with every occurrence of the pair joined, from left to right."""
    joined, place = [], 0
    while place < len(pieces):
        width = 2 if pieces[place : place + 2] == pair else 1
        joined.append("".join(pieces[place : place + width]))
        place += width
    return tuple(joined)


class Codec:
    """Text to token numbers and back: the letters first, then one token per merge."""

    def __init__(self, letters: str, merges: Iterable[Pair] = ()) -> None:
        self.merges = tuple(merges)
        self.tokens = (*letters, *map("".join, self.merges))
        self._known: dict[str, list[int]] = {}  # a word is cut only once

    @cached_property
    def _number(self) -> dict[str, int]:
        # two ways to the same token: the earlier number stands
        return {token: n for n, token in reversed([*enumerate(self.tokens)])}

    @cached_property
    def _rank(self) -> dict[Pair, int]:
        return {pair: rank for rank, pair in enumerate(self.merges)}

    def encode(self, text: str) -> np.ndarray:
        """The tokens of the text.  -> (count,), int64"""
        unknown = sorted(set(text) - self._number.keys())
        if unknown:
            raise ValueError(
                f"{unknown} not among the letters: "
                f"{''.join(t for t in self.tokens if len(t) == 1)!r}"
            )
        words = WORDS.findall(text) if self.merges else text
        for word in set(words) - self._known.keys():
            self._known[word] = [self._number[piece] for piece in self._cut(word)]
        numbers = chain.from_iterable(map(self._known.__getitem__, words))
        return np.fromiter(numbers, dtype=np.int64)

    def _cut(self, word: str) -> tuple[str, ...]:
        """The word's pieces: join its earliest-learnt pair until there is none."""
        pieces = tuple(word)
        while len(pieces) > 1:
            pairs = zip(pieces, pieces[1:], strict=False)
            best = min(pairs, key=lambda pair: self._rank.get(pair, len(self._rank)))
            if best not in self._rank:
                break
            pieces = join(pieces, best)
        return pieces

    def decode(self, numbers: Iterable[int]) -> str:
        """The text of the tokens."""
        return "".join(self.tokens[int(number)] for number in numbers)
