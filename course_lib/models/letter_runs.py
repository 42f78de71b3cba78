"""Hand-written LSTM, GRU and simple RNN that learn Shakespeare letter by letter.

    python -m course_lib.models.letter_runs

trains every run alone on one thread and adds it to letter_runs.tsv, unless it is there
already: about five minutes for all. The networks have equal numbers of parameters, and
in each length about equal processor seconds. Every rate of a length is tried with seed
0; the rate with the lowest loss on the validation plays gets seeds 1 and 2 as well. The
loss on the test plays is stored beside it, and nothing was chosen on it.
Lectures 04, 05.
"""

import csv
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy import ndarray

from course_lib import numpy_cells
from course_lib.data import shakespeare
from course_lib.numpy_cells import text

TABLE = Path(__file__).with_suffix(".tsv")
BATCH, WINDOW = 32, 50  # letters of a step: their product
WARM_UP = 50  # steps until the full rate
JUDGED = 100_000  # letters of the test plays
SEEDS = (0, 1, 2)
WIDTH = {"LSTM": 64, "GRU": 76, "simple RNN": 140}  # 41,346 to 41,678 parameters
STEPS = {
    "short": {"LSTM": 250, "GRU": 230, "simple RNN": 330},
    "long": {"LSTM": 1000, "simple RNN": 1350},
}
RATES = {
    "LSTM": (0.015, 0.05, 0.1, 0.2, 0.4),
    "GRU": (0.015, 0.03, 0.05, 0.1, 0.2),
    "simple RNN": (0.004, 0.008, 0.015, 0.03, 0.06),
}

State = object  # h, or (h, c), or None before the first letter
Forward = Callable[[object, ndarray, State], tuple[ndarray, State, object]]


@dataclass(frozen=True)
class Row:
    """One trained network; losses in nats a letter."""

    length: str  # "short" or "long"
    kind: str
    rate: float
    seed: int
    letters: int  # read while training
    seconds: float  # of one processor
    validation: float
    test: float


@dataclass(frozen=True)
class Writer:
    """A trained network: run(x, state) gives h and the next state."""

    run: text.Run
    readout: text.Readout
    losses: list[float]  # of every training step
    parameters: int
    seconds: float


def _lstm(weights: Any, x: ndarray, state: Any) -> tuple[ndarray, State, object]:
    return numpy_cells.lstm_forward(weights, x, *(state or (None, None)))


def _one_state(forward: Callable) -> Forward:
    """A cell whose last output is its state."""

    def run(weights: Any, x: ndarray, state: State) -> tuple[ndarray, State, object]:
        h, tape = forward(weights, x, state)
        return h, h[:, -1], tape

    return run


PARTS = {
    "LSTM": (numpy_cells.LSTMWeights, _lstm, numpy_cells.lstm_backward),
    "GRU": (
        numpy_cells.GRUWeights,
        _one_state(numpy_cells.gru_forward),
        numpy_cells.gru_backward,
    ),
    "simple RNN": (
        numpy_cells.RNNWeights,
        _one_state(numpy_cells.rnn_forward),
        numpy_cells.rnn_backward,
    ),
}


@cache
def corpus() -> shakespeare.Corpus:
    return shakespeare.letters()


def _arrays(*weights) -> list[ndarray]:
    """The GRU's second bias is None in the convention of the course."""
    found = [array for part in weights for array in vars(part).values()]
    return [array for array in found if array is not None]


def learn_to_write(kind: str, rate: float, steps: int, seed: int) -> Writer:
    """Train one network: Adam, up to the rate and down to 0, clipped at length 1."""
    weights_of, forward, backward = PARTS[kind]
    V, width = len(corpus().vocabulary), WIDTH[kind]
    draw, began = np.random.default_rng(seed), time.process_time()
    weights = weights_of.init(draw, V, width, np.float32)
    weights.W_x[:] *= 8  # each letter picks one column; start with columns that differ
    readout = text.Readout.init(draw, width, V)
    parameters = _arrays(weights, readout)
    adam, state, losses = text.Adam(parameters, rate), None, []
    windows = text.windows(corpus().train, BATCH, WINDOW)
    for k, (letters, targets) in zip(range(steps), windows, strict=False):
        h, state, tape = forward(weights, text.one_hot(letters, V), state)
        loss, d_readout, dh = text.readout_loss(readout, h, targets)
        d_weights, *_ = backward(weights, tape, dh)
        gradients = _arrays(d_weights, d_readout)
        text.clip(gradients, 1.0)
        adam.rate = rate * min(1, (k + 1) / WARM_UP) * (1 - k / steps)
        adam.step(gradients)
        losses.append(loss)
    seconds = time.process_time() - began

    def run(x: ndarray, state: State) -> tuple[ndarray, State]:
        return forward(weights, x, state)[:2]

    return Writer(run, readout, losses, sum(p.size for p in parameters), seconds)


def measure(length: str, kind: str, rate: float, seed: int) -> Row:
    """Train, and judge on the validation and on the test plays."""
    steps = STEPS[length][kind]
    writer = learn_to_write(kind, rate, steps, seed)
    judged = [
        round(text.nats_per_letter(writer.run, writer.readout, numbers), 4)
        for numbers in (corpus().validation, corpus().test[:JUDGED])
    ]
    letters = steps * BATCH * WINDOW
    return Row(length, kind, rate, seed, letters, round(writer.seconds, 1), *judged)


def stored() -> list[Row]:
    """The rows of the table, as they were measured."""
    with TABLE.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [
        Row(
            length,
            kind,
            float(rate),
            int(seed),
            int(letters),
            *map(float, numbers),
        )
        for length, kind, rate, seed, letters, *numbers in rows
    ]


def tuned_rate(rows: list[Row], length: str, kind: str) -> float:
    """The rate with the lowest validation loss of seed 0."""
    tried = [r for r in rows if (r.length, r.kind, r.seed) == (length, kind, 0)]
    return min(tried, key=lambda row: row.validation).rate


def seeds_at(rows: list[Row], length: str, kind: str, rate: float) -> list[Row]:
    """The rows of one network at one rate, by seed."""
    found = [r for r in rows if (r.length, r.kind, r.rate) == (length, kind, rate)]
    return sorted(found, key=lambda row: row.seed)


def main() -> None:
    """Train what is missing, and write the table after each run."""
    rows = stored() if TABLE.exists() else []
    done = {(row.length, row.kind, row.rate, row.seed) for row in rows}

    def add(*run) -> None:
        if run in done:
            return
        rows.append(measure(*run))
        print(rows[-1], flush=True)
        with TABLE.open("w", encoding="utf8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerow(field.name for field in fields(Row))
            writer.writerows([astuple(row) for row in rows])

    for length, kinds in STEPS.items():
        for kind in kinds:
            for rate in RATES[kind]:
                add(length, kind, rate, SEEDS[0])
            best = tuned_rate(rows, length, kind)
            for seed in SEEDS[1:]:
                add(length, kind, best, seed)


if __name__ == "__main__":
    main()
