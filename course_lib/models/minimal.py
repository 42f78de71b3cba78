r"""Minimal gated units: gates that see the input alone, trained as a scan. Lecture 17.

$$z_t = \sigma(W_z x_t + b_z), \qquad \tilde h_t = W_h x_t + b_h, \qquad
h_t = (1 - z_t) \odot h_{t-1} + z_t \odot \tilde h_t \quad \text{(minGRU)}$$

The minLSTM has a forget and an input gate, divided by their sum (Feng and others,
2024). In a GRU and an LSTM the gates also read $h_{t-1}$, which is what forbids the
scan. What is lost may come back by stacking: the gates of the second layer see what the
first one remembers.

    python -m course_lib.models.minimal

trains language models of letters on Shakespeare with the parameters, the steps and the
letters of lecture 04's short runs, and writes minimal.tsv. Every rate is tried with
seed 0; the one with the lowest validation loss gets the other seeds. Beside the two
stand two controls: the minGRU whose gates see the state as well (SEEING; it runs step
by step), and torch's LSTM as torch starts it, in the same training, for more steps, so
that it takes about the minGRU's seconds (LONGER). Lecture 04's LSTM has its own rows,
chosen in the same way: letter_runs.tsv.
"""

import csv
import time
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from functools import cache
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.data import shakespeare
from course_lib.models.scan import scan
from course_lib.seeds import set_seed
from course_lib.train import one_cycle, train

TABLE = Path(__file__).with_suffix(".tsv")
SEEING = "minGRU, gates see the state"
WIDTH = {"minGRU": 70, "minLSTM": 59, SEEING: 59}  # parameters of lecture 04's LSTM
LONGER = "torch's LSTM, 450 steps"
LAYERS = 3  # of the minimal ones
ROWS, WINDOW = 32, 50  # letters of a step: their product, as in lecture 04
STEPS, SEEDS, RATES = 250, (0, 1, 2), (0.01, 0.02, 0.04)
LSTM_WIDTH, LSTM_STEPS, LSTM_RATES = 64, 450, (0.04, 0.08, 0.16)
JUDGED = 100_000  # letters of the validation and of the test plays


class MinimalLayer(nn.Module):
    """minGRU or minLSTM with a norm before and a residual around it.

    SEEING adds $U h_{t-1}$ to the gate of the minGRU, and no scan can run it.
    """

    def __init__(self, width: int, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.norm = nn.LayerNorm(width)
        self.project = nn.Linear(width, width * (3 if kind == "minLSTM" else 2))
        self.look = nn.Linear(width, width, bias=False) if kind == SEEING else None

    def forward(
        self, x: Float[Tensor, "B T d"], h_0: Float[Tensor, "B d"] | None = None
    ) -> tuple[Float[Tensor, "B T d"], Float[Tensor, "B d"]]:
        new, *gates = self.project(self.norm(x)).chunk(2 + (self.kind == "minLSTM"), -1)
        if self.look is not None:
            h = _seeing(new, gates[0], self.look, h_0)
            return x + F.gelu(h), h[:, -1]
        if self.kind == "minGRU":
            z = torch.sigmoid(gates[0])
            a, b = 1 - z, z * new
        else:
            f, i = torch.sigmoid(gates[0]), torch.sigmoid(gates[1])
            a, b = f / (f + i), i / (f + i) * new
        h = scan(a, b, h_0)
        return x + F.gelu(h), h[:, -1]


def _seeing(
    new: Tensor, drive: Tensor, look: nn.Linear, h_0: Tensor | None
) -> Float[Tensor, "B T d"]:
    """The minGRU with a gate that sees the state: a loop, whatever one does."""
    h, states = torch.zeros_like(new[:, 0]) if h_0 is None else h_0, []
    for new_t, drive_t in zip(new.unbind(1), drive.unbind(1), strict=True):
        z = torch.sigmoid(drive_t + look(h))
        h = (1 - z) * h + z * new_t
        states.append(h)
    return torch.stack(states, dim=1)


class LetterModel(nn.Module):
    """Letters to logits of the next letter; the state goes from window to window."""

    def __init__(self, kind: str, vocab_size: int, width: int | None = None) -> None:
        super().__init__()
        width = width or WIDTH[kind]
        self.embed = nn.Embedding(vocab_size, width)
        self.layers = nn.ModuleList(MinimalLayer(width, kind) for _ in range(LAYERS))
        self.norm = nn.LayerNorm(width)
        self.read_out = nn.Linear(width, vocab_size)

    def forward(
        self, letters: Int[Tensor, "B T"], state: list[Tensor] | None = None
    ) -> tuple[Float[Tensor, "B T V"], list[Tensor]]:
        x, states = self.embed(letters), []
        before = state or [None] * LAYERS
        for layer, h_0 in zip(self.layers, before, strict=True):
            x, h_T = layer(x, h_0)
            states.append(h_T)
        return self.read_out(self.norm(x)), states


class LetterLSTM(nn.Module):
    """Torch's LSTM over one-hot letters, the size of lecture 04's."""

    def __init__(self, vocab_size: int, width: int = LSTM_WIDTH) -> None:
        super().__init__()
        self.lstm = nn.LSTM(vocab_size, width, batch_first=True)
        self.read_out = nn.Linear(width, vocab_size)

    def forward(
        self, letters: Int[Tensor, "B T"], state: list[Tensor] | None = None
    ) -> tuple[Float[Tensor, "B T V"], list[Tensor]]:
        x = F.one_hot(letters, self.lstm.input_size).float()
        h, (last, cell) = self.lstm(x, None if state is None else (state[0], state[1]))
        return self.read_out(h), [last, cell]


@dataclass(frozen=True)
class Row:
    """One trained model; losses in nats a letter, seconds of one processor."""

    kind: str
    rate: float
    seed: int
    parameters: int
    steps: int
    seconds: float
    validation: float
    test: float


@cache
def corpus() -> shakespeare.Corpus:
    return shakespeare.letters()


def windows(
    numbers: Int[Tensor, " N"], rows: int, letters: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Each row walks through its own part of the text, window after window."""
    part = (len(numbers) - 1) // rows
    x = numbers[: rows * part].view(rows, part)
    y = numbers[1 : rows * part + 1].view(rows, part)
    while True:
        for at in range(0, part - letters + 1, letters):
            yield x[:, at : at + letters], y[:, at : at + letters]


def make(kind: str, vocab_size: int) -> LetterModel | LetterLSTM:
    """A new model of one of the kinds of the table."""
    return LetterLSTM(vocab_size) if kind == LONGER else LetterModel(kind, vocab_size)


def train_letters(
    kind: str, rate: float, seed: int, steps: int | None = None
) -> tuple[LetterModel | LetterLSTM, list[float], float]:
    """The model, the loss of every step, and the processor seconds it took."""
    set_seed(seed)
    text = torch.as_tensor(corpus().train, dtype=torch.int64)
    model = make(kind, len(corpus().vocabulary))
    draw, state = windows(text, ROWS, WINDOW), None

    def loss(step: int) -> Tensor:
        nonlocal state
        x, y = next(draw)
        logits, state = model(x, state)
        state = [part.detach() for part in state]
        return F.cross_entropy(logits.mT, y)

    began = time.process_time()
    steps = steps or (LSTM_STEPS if kind == LONGER else STEPS)
    history = train(model.parameters(), loss, steps, rate, 1.0, one_cycle)
    return model, history, time.process_time() - began


@torch.no_grad()
def nats(model: LetterModel | LetterLSTM, numbers: Tensor, rows: int = 20) -> float:
    """Mean loss a letter, over twenty parts of the text side by side."""
    part = (len(numbers) - 1) // rows
    x = numbers[: rows * part].view(rows, part)
    y = numbers[1 : rows * part + 1].view(rows, part)
    total, state = 0.0, None
    for at in range(0, part, 500):
        logits, state = model(x[:, at : at + 500], state)
        targets = y[:, at : at + 500]
        total += F.cross_entropy(logits.mT, targets, reduction="sum").item()
    return total / y.numel()


def measure(kind: str, rate: float, seed: int) -> Row:
    """Train one and judge it on plays it has not read."""
    model, history, seconds = train_letters(kind, rate, seed)
    text = corpus()
    plays = (torch.as_tensor(p[:JUDGED]).long() for p in (text.validation, text.test))
    judged = [round(nats(model, play), 4) for play in plays]
    size = sum(p.numel() for p in model.parameters())
    return Row(kind, rate, seed, size, len(history), round(seconds, 1), *judged)


def stored() -> list[Row]:
    """The rows of the table, as they were measured."""
    with TABLE.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [
        Row(kind, float(rate), int(seed), int(size), int(steps), *map(float, r))
        for kind, rate, seed, size, steps, *r in rows
    ]


def chosen(rows: list[Row], kind: str) -> list[Row]:
    """The runs at the rate that was best on the validation plays, by seed."""
    alike = [r for r in rows if r.kind == kind]
    best = min((r for r in alike if r.seed == 0), key=lambda r: r.validation).rate
    return sorted((r for r in alike if r.rate == best), key=lambda r: r.seed)


def main() -> None:
    """Train what is missing, and write the table after each run: some minutes."""
    rows = stored() if TABLE.exists() else []

    def add(kind: str, rate: float, seed: int) -> None:
        if (kind, rate, seed) in {(r.kind, r.rate, r.seed) for r in rows}:
            return
        rows.append(measure(kind, rate, seed))
        print(rows[-1], flush=True)
        with TABLE.open("w", encoding="utf8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerow(field.name for field in fields(Row))
            writer.writerows([astuple(row) for row in rows])

    for rate in RATES:
        for kind in WIDTH:  # in turns, so that a busy machine is busy for all
            add(kind, rate, SEEDS[0])
    for rate in LSTM_RATES:
        add(LONGER, rate, SEEDS[0])
    for seed in SEEDS[1:]:
        for kind in (*WIDTH, LONGER):
            add(kind, chosen(rows, kind)[0].rate, seed)


if __name__ == "__main__":
    main()
