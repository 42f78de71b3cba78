"""Words to numbers and back: the same small vocabulary for every task with words.

A row of words becomes `ids ... <eos> <pad> <pad>`, so that rows of different lengths
fit into one array. Introduced in lecture 07.
"""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

PAD, SOS, EOS = 0, 1, 2
SPECIAL = ("<pad>", "<sos>", "<eos>")


class Vocabulary:
    """A fixed list of words; a word's number is its place, from 0 to len - 1.

    The first three places are special: <pad> fills a row up, <sos> starts a sentence,
    <eos> ends it.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = (*SPECIAL, *sorted(set(words) - set(SPECIAL)))
        self.ids = {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, words: Sequence[str]) -> list[int]:
        """The words' numbers, with <eos> at the end."""
        unknown = [word for word in words if word not in self.ids]
        if unknown:
            raise ValueError(
                f"{unknown} not among the {len(self)} words of this vocabulary, which "
                "is fixed before training: a new word has no embedding row"
            )
        return [self.ids[word] for word in words] + [EOS]

    def decode(self, ids: Iterable[int]) -> tuple[str, ...]:
        """The words up to the first <eos>, without <pad> and <sos>."""
        words = []
        for number in map(int, ids):
            if not 0 <= number < len(self):
                raise ValueError(f"{number} is no word: they run 0..{len(self) - 1}")
            if number == EOS:
                break
            if number not in (PAD, SOS):
                words.append(self.words[number])
        return tuple(words)

    def rows(self, sentences: Iterable[Sequence[str]]) -> Tensor:
        """Encoded sentences as one array, padded: (sentences, longest + 1), int64."""
        return padded([self.encode(sentence) for sentence in sentences])


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """Rows of different lengths as one array, filled up with <pad>."""
    width = max(map(len, rows), default=0)
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows]).long()


def lengths(rows: Tensor) -> Tensor:
    """How many words each row has, <eos> included: (B, T) -> (B,)."""
    return (rows != PAD).sum(dim=1)


def trimmed(rows: Tensor) -> Tensor:
    """The array without the columns that only hold padding."""
    return rows[:, : int(lengths(rows).max())] if len(rows) else rows
