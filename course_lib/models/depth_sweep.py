"""How deep may a stack of LSTMs be?  Plain and residual, each with a rate of its own.

    python -m course_lib.models.depth_sweep

trains stacks of 1, 2 and 4 layers on Shakespeare, all with about 40,000 parameters and
200 steps, and writes depth_sweep.tsv: about a minute on one thread. Every rate is
tried with seed 0; the rate with the lowest validation loss gets seeds 1 and 2 as well.
Lecture 05b.
"""

import csv
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.data import shakespeare
from course_lib.seeds import set_seed
from course_lib.train import one_cycle, train

TABLE = Path(__file__).with_suffix(".tsv")
WIDTHS = {1: 61, 2: 45, 4: 33}  # layers: width, for equal parameters
RATES = (0.005, 0.02, 0.05, 0.1)
SEEDS = (0, 1, 2)
STEPS, WINDOW, BATCH, CLIP = 200, 32, 32, 1.0
JUDGED, LEAD_IN = 100, 20  # letters of a validation window; the first do not count


@dataclass(frozen=True)
class Row:
    """One trained stack; the loss in nats a letter on the validation plays."""

    layers: int
    residual: int
    rate: float
    seed: int
    validation: float


class Stack(nn.Module):
    """Letters -> embedding -> LSTM layers -> logits of the next letter."""

    def __init__(self, V: int, layers: int, residual: bool) -> None:
        super().__init__()
        d = WIDTHS[layers]
        self.embed, self.head = nn.Embedding(V, d), nn.Linear(d, V)
        self.layers = nn.ModuleList(
            nn.LSTM(d, d, batch_first=True) for _ in range(layers)
        )
        self.residual = residual

    def states(self, vectors: Float[Tensor, "B T d"]) -> Float[Tensor, "B T d"]:
        h = vectors
        for layer in self.layers:
            h = h + layer(h)[0] if self.residual else layer(h)[0]
        return h

    def forward(self, letters: Int[Tensor, "B T"]) -> Float[Tensor, "B T V"]:
        return self.head(self.states(self.embed(letters)))


def next_letter_loss(
    model: nn.Module, text: np.ndarray, starts: np.ndarray, length: int, skip: int = 0
) -> Tensor:
    """Mean cross-entropy over windows; the first `skip` targets do not count."""
    window = torch.tensor(text[starts[:, None] + np.arange(length + 1)])
    logits = model(window[:, :-1])[:, skip:]
    return F.cross_entropy(logits.flatten(0, 1), window[:, 1 + skip :].flatten())


def validation_loss(layers: int, residual: bool, rate: float, seed: int) -> float:
    """Train on random windows; the loss on the validation plays."""
    corpus = shakespeare.letters()
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    model = Stack(len(corpus.vocabulary), layers, residual)

    def loss(_step: int) -> Tensor:
        starts = draw.integers(0, len(corpus.train) - WINDOW - 1, BATCH)
        return next_letter_loss(model, corpus.train, starts, WINDOW)

    name = f"{layers} layers"
    train(model.parameters(), loss, STEPS, rate, CLIP, one_cycle, name)
    last = len(corpus.validation) - JUDGED - 2
    starts = np.linspace(0, last, 200).astype(int)
    with torch.no_grad():
        judged = next_letter_loss(model, corpus.validation, starts, JUDGED, LEAD_IN)
    return judged.item()


def stored() -> list[Row]:
    """The rows of the table, as they were measured."""
    with TABLE.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [
        Row(int(layers), int(residual), float(rate), int(seed), float(loss))
        for layers, residual, rate, seed, loss in rows
    ]


def tuned(rows: list[Row], layers: int, residual: bool) -> list[Row]:
    """All seeds at the rate that was best with seed 0."""
    same = [r for r in rows if (r.layers, bool(r.residual)) == (layers, residual)]
    best = min((r for r in same if r.seed == 0), key=lambda row: row.validation)
    return sorted((r for r in same if r.rate == best.rate), key=lambda row: row.seed)


def main() -> None:
    """Train all, and write the table after each stack."""
    set_seed(0)
    rows: list[Row] = []

    def add(layers: int, residual: bool, rate: float, seed: int) -> None:
        loss = round(validation_loss(layers, residual, rate, seed), 4)
        rows.append(Row(layers, int(residual), rate, seed, loss))
        print(rows[-1], flush=True)
        with TABLE.open("w", encoding="utf8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerow(field.name for field in fields(Row))
            writer.writerows([astuple(row) for row in rows])

    for layers in WIDTHS:
        for residual in (False, True):
            for rate in RATES:
                add(layers, residual, rate, SEEDS[0])
            (best,) = tuned(rows, layers, residual)
            for seed in SEEDS[1:]:
                add(layers, residual, best.rate, seed)


if __name__ == "__main__":
    main()
