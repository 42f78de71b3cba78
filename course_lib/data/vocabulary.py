"""Tokens to numbers and back: the same small vocabulary for every task with words.

Here a token is a word, or a piece of one. A row of tokens becomes
`ids ... <eos> <pad> <pad>`, so that rows of different lengths fit into one array.
Introduced in lecture 07.
"""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

PAD, SOS, EOS = 0, 1, 2
SPECIAL = ("<pad>", "<sos>", "<eos>")


class Vocabulary:
    """A fixed list of tokens; the id of a token is its index, from 0 to len - 1.

    The first three are special: <pad> fills a row up, <sos> starts a sentence,
    <eos> ends it.
    """

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens = (*SPECIAL, *sorted(set(tokens) - set(SPECIAL)))
        self.ids = {token: number for number, token in enumerate(self.tokens)}

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, tokens: Sequence[str]) -> list[int]:
        """The ids of the tokens, with <eos> at the end."""
        unknown = [token for token in tokens if token not in self.ids]
        if unknown:
            raise ValueError(
                f"{unknown} not among the {len(self)} tokens of this vocabulary, which "
                "is fixed before training: a new one has no embedding row"
            )
        return [self.ids[token] for token in tokens] + [EOS]

    def decode(self, ids: Iterable[int]) -> tuple[str, ...]:
        """The tokens up to the first <eos>, without <pad> and <sos>."""
        tokens = []
        for number in map(int, ids):
            if not 0 <= number < len(self):
                raise ValueError(f"{number} is no token: they run 0..{len(self) - 1}")
            if number == EOS:
                break
            if number not in (PAD, SOS):
                tokens.append(self.tokens[number])
        return tuple(tokens)

    def rows(self, sentences: Iterable[Sequence[str]]) -> Tensor:
        """Encoded sentences as one array, padded: (sentences, longest + 1), int64."""
        return padded([self.encode(sentence) for sentence in sentences])


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """Rows of different lengths as one array, filled up with <pad>."""
    width = max(map(len, rows), default=0)
    filled = [[*row, *[PAD] * (width - len(row))] for row in rows]
    return torch.tensor(filled).long().reshape(len(rows), width)


def lengths(rows: Tensor) -> Tensor:
    """How many tokens each row has, <eos> included: (B, T) -> (B,)."""
    return (rows != PAD).sum(dim=1)


def trimmed(rows: Tensor) -> Tensor:
    """The array without the columns that only hold padding."""
    return rows[:, : int(lengths(rows).max())] if len(rows) else rows
