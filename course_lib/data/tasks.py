r"""Small tasks with a known answer, in which something must be remembered for a while.

| task     | the network reads                            | and must give             |
|----------|----------------------------------------------|---------------------------|
| `recall` | a letter, `gap` distractors, a question mark | the letter                |
| `adding` | numbers, two of them marked                  | the sum of the marked two |
| `copy`   | `payload` symbols, `gap` blanks, a signal    | the symbols, in order     |
| `order`  | letters, with one *a* and one *b* among them | whether the *a* is first  |

Nothing is stored: every call draws a new batch from the `torch.Generator` it is given,
so equal seeds give equal data. Arrays are batch first; inputs have the dtype asked for.
`recall` and `copy` follow the spirit, and `adding` the numbers, of Hochreiter and
Schmidhuber (1997). The batches are random numbers, so no licence applies to them.
"""

import torch
from torch import Generator, Tensor
from torch.nn.functional import one_hot

CUES = "ABCDEFGH"  # what `recall` asks for
DISTRACTORS = "stuvwxyz"  # what it puts in between
QUESTION = "?"


def recall(
    generator: Generator,
    batch: int,
    gap: int,
    symbols: int = 4,
    dtype: torch.dtype = torch.float32,
) -> tuple[Tensor, Tensor]:
    """Which letter came first?  x (batch, gap + 2, 2 symbols + 1), y (batch,)

    Step 1 shows one of `symbols` cues, steps 2 to gap + 1 show distractors from an
    alphabet of their own, the last step is the question mark. y is the cue's number,
    so guessing scores 1 / symbols. `recall_letters` writes a batch as text.
    """
    _at_least("batch", batch, 1)
    _at_least("gap", gap, 0)
    if not 2 <= symbols <= len(CUES):
        raise ValueError(f"symbols must lie in 2..{len(CUES)}, got {symbols}")
    y = torch.randint(symbols, (batch,), generator=generator)
    between = torch.randint(symbols, (batch, gap), generator=generator) + symbols
    question = torch.full((batch, 1), 2 * symbols)
    tokens = torch.cat([y[:, None], between, question], dim=1)
    return one_hot(tokens, 2 * symbols + 1).to(dtype), y


def recall_letters(x: Tensor) -> list[str]:
    """A batch of `recall` as text, such as 'Bxsxt?'.  x (batch, time, 2 symbols + 1)"""
    width = x.shape[-1]
    if x.ndim != 3 or width % 2 == 0 or not 5 <= width <= 2 * len(CUES) + 1:
        raise ValueError(
            f"expected inputs of `recall`, (batch, time, 2 symbols + 1), "
            f"got shape {tuple(x.shape)}"
        )
    symbols = width // 2
    alphabet = CUES[:symbols] + DISTRACTORS[:symbols] + QUESTION
    return ["".join(alphabet[i] for i in row) for row in x.argmax(dim=2).tolist()]


def adding(
    generator: Generator,
    batch: int,
    length: int,
    dtype: torch.dtype = torch.float32,
) -> tuple[Tensor, Tensor]:
    r"""Add the two marked numbers.  x (batch, length, 2), y (batch,)

    x[..., 0] holds numbers drawn evenly from [0, 1), x[..., 1] is 1 at one step of the
    first half and at one step of the second half, 0 elsewhere. y is the sum of the two
    marked numbers. The best constant guess is 1, and its mean squared error is the
    variance of the sum, $\tfrac1{12} + \tfrac1{12} = \tfrac16$.
    """
    _at_least("batch", batch, 1)
    _at_least("length", length, 2)
    values = torch.rand((batch, length), generator=generator, dtype=dtype)
    half = length // 2
    first = torch.randint(half, (batch, 1), generator=generator)
    second = torch.randint(half, length, (batch, 1), generator=generator)
    marks = torch.zeros_like(values)
    marks.scatter_(1, torch.cat([first, second], dim=1), 1.0)
    return torch.stack([values, marks], dim=2), (values * marks).sum(dim=1)


def copy(
    generator: Generator,
    batch: int,
    payload: int,
    gap: int,
    symbols: int = 8,
    dtype: torch.dtype = torch.float32,
) -> tuple[Tensor, Tensor]:
    """Repeat what was read.  x (batch, 2 payload + gap, symbols + 2), y (batch, same)

    The input shows `payload` symbols, then `gap` steps of which the last is the signal
    to start and the others are blank, then `payload` blanks to answer in. The target is
    blank until the signal has been read, then the symbols in their order. Number
    `symbols` stands for the blank, `symbols + 1` for the signal, which is never a
    target.
    """
    _at_least("batch", batch, 1)
    _at_least("payload", payload, 1)
    _at_least("gap", gap, 1)
    _at_least("symbols", symbols, 2)
    blank, signal = symbols, symbols + 1
    message = torch.randint(symbols, (batch, payload), generator=generator)
    tokens = torch.full((batch, 2 * payload + gap), blank)
    tokens[:, :payload] = message
    tokens[:, payload + gap - 1] = signal
    y = torch.full_like(tokens, blank)
    y[:, payload + gap :] = message
    return one_hot(tokens, symbols + 2).to(dtype), y


def order(generator: Generator, batch: int, length: int) -> tuple[Tensor, Tensor]:
    """Is the *a* before the *b*?  tokens (batch, length), y (batch,), 1.0 for yes

    Token 0 is the *a*, token 1 the *b*, each stands once; 2 to 7 are fillers. Nothing
    but the order decides: a row and its reverse have opposite answers.
    """
    _at_least("batch", batch, 1)
    _at_least("length", length, 2)
    rows = torch.randint(2, 8, (batch, length), generator=generator)
    positions = torch.rand(batch, length, generator=generator).argsort(dim=1)[:, :2]
    rows.scatter_(1, positions, torch.tensor([[0, 1]]).expand(batch, 2))
    return rows, (positions[:, 0] < positions[:, 1]).float()


def _at_least(name: str, value: int, least: int) -> None:
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
