r"""Tasks that ask what a memory of fixed size can do. Lecture 17.

| task             | the network reads                         | and must give      |
|------------------|-------------------------------------------|--------------------|
| `selective_copy` | symbols among blanks, then question marks | the symbols in order |
| `lookup_pairs`   | pairs of a key and a value, then keys     | each key's value   |
| `latest_pairs`   | the same, keys written again and again    | the latest value   |

Every call draws a new batch from the generator it is given. In both, a constant answer
is right in one of `symbols` (or `values`) cases.
"""

import torch
from jaxtyping import Int
from torch import Generator, Tensor


def selective_copy(
    generator: Generator, batch: int, length: int, payload: int, symbols: int = 8
) -> tuple[Int[Tensor, "B T"], Int[Tensor, "B K"]]:
    """Tokens (batch, length + payload) and the symbols to give (batch, payload).

    Among the first `length` tokens `payload` are symbols, at positions drawn anew for
    each row; the others are the blank, number `symbols`. Then follow `payload` question
    marks, number `symbols + 1`: at the k-th one the k-th symbol is to be given.
    """
    if not 1 <= payload <= length:
        raise ValueError(f"{payload} symbols do not fit into {length} positions")
    message = torch.randint(symbols, (batch, payload), generator=generator)
    order = torch.rand(batch, length, generator=generator).argsort(dim=1)
    tokens = torch.full((batch, length + payload), symbols)
    tokens[:, length:] = symbols + 1
    tokens.scatter_(1, order[:, :payload].sort(dim=1).values, message)
    return tokens, message


def lookup_pairs(
    generator: Generator, batch: int, pairs: int, keys: int, values: int
) -> tuple[Int[Tensor, "B P"], Int[Tensor, "B P"], Int[Tensor, "B P"]]:
    """Keys, their values and the order in which they are asked, each (batch, pairs).

    Within a row all keys differ. Asked is a permutation: the answer to question j is
    `values[asked[j]]`, its key `keys[asked[j]]`.
    """
    if pairs > keys:
        raise ValueError(f"{pairs} pairs need as many different keys, there are {keys}")
    shuffled = lambda n: torch.rand(batch, n, generator=generator).argsort(dim=1)  # noqa: E731
    told = shuffled(keys)[:, :pairs]
    answers = torch.randint(values, (batch, pairs), generator=generator)
    return told, answers, shuffled(pairs)


def latest_pairs(
    generator: Generator, batch: int, pairs: int, keys: int, values: int
) -> tuple[Int[Tensor, "B P"], Int[Tensor, "B P"], Int[Tensor, "B P"]]:
    """As `lookup_pairs`, but keys repeat, and asked is the last pair of some key.

    The key of question j is `keys[asked[j]]`, and no later pair has that key, so the
    answer is again `values[asked[j]]`.
    """
    told = torch.randint(keys, (batch, pairs), generator=generator)
    answers = torch.randint(values, (batch, pairs), generator=generator)
    alike = told[:, :, None] == told[:, None, :]  # (B, P, P)
    last = (alike * torch.arange(pairs)).amax(dim=2)  # the last pair with this key
    order = torch.rand(batch, pairs, generator=generator).argsort(dim=1)
    return told, answers, last.gather(1, order)
