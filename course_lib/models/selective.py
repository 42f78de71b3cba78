r"""Gates that read the input, and the same without: selective copying. Lecture 17.

$$h_t = a_t \odot h_{t-1} + (1 - a_t) \odot W_x x_t, \qquad
a_t = \sigma(W_a x_t + b_a) \ \text{(selective)} \quad\text{or}\quad
a = \sigma(b_a) \ \text{(time-invariant)}$$

    python -m course_lib.models.selective

trains every entry of RUNS on selective copying (3 symbols among 64 places, or 256)
and writes selective.tsv. The readout is a small network at every step alike, or one
linear map, so that what it can and cannot mend is seen as well. (With ReLU in its
hidden layer some runs of either kind died and answered one symbol ever after.)
"""

import csv
import math
import time
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.data.memory_tasks import selective_copy
from course_lib.models.scan import scan
from course_lib.seeds import set_seed
from course_lib.train import one_cycle, train

TABLE = Path(__file__).with_suffix(".tsv")
LENGTH, PAYLOAD, SYMBOLS = 64, 3, 8
STEPS, RATE, ROWS = 600, 0.01, 64
SEEDS, FEW = (0, 1, 2, 3, 4), (0, 1, 2)  # those that are compared; the others
COMPARED = (
    "selective",
    "time-invariant",
    "selective, 256 places",
    "time-invariant, 256 places",
)


class GatedLayer(nn.Module):
    """The recurrence of this module, run as a scan; gates start between 0.5 and 1."""

    def __init__(self, d_x: int, d_h: int, selective: bool) -> None:
        super().__init__()
        self.enter = nn.Linear(d_x, d_h)
        keep = torch.empty(d_h).uniform_(0.5, 0.999)
        self.bias = nn.Parameter(torch.log(keep / (1 - keep)))
        self.gate = nn.Linear(d_x, d_h, bias=False) if selective else None

    def forward(self, x: Float[Tensor, "B T d_x"]) -> Float[Tensor, "B T d_h"]:
        a = self.gates(x)
        return scan(a, (1 - a) * self.enter(x))

    @torch.no_grad()
    def spread(self) -> None:
        """Half-lives from 1 to 230 steps, evenly on a logarithmic scale."""
        lost = torch.logspace(math.log10(0.5), math.log10(0.003), len(self.bias))
        self.bias.copy_(torch.log((1 - lost) / lost))

    def gates(self, x: Float[Tensor, "B T d_x"]) -> Float[Tensor, "B T d_h"]:
        """How much of the state every step keeps."""
        drive = self.bias if self.gate is None else self.bias + self.gate(x)
        return torch.sigmoid(drive).expand(*x.shape[:2], -1)


class Copier(nn.Module):
    """One or two layers and a readout at every question mark.

    readout  "network": norm, one hidden layer; "linear": norm, one linear map
    """

    def __init__(
        self,
        selective: bool,
        d_h: int = 48,
        readout: str = "network",
        layers: int = 1,
        hidden: int = 96,
    ) -> None:
        super().__init__()
        first = GatedLayer(SYMBOLS + 2, d_h, selective)
        more = [GatedLayer(d_h, d_h, selective) for _ in range(layers - 1)]
        self.layers = nn.ModuleList([first, *more])
        self.norms = nn.ModuleList(nn.LayerNorm(d_h) for _ in range(layers))
        network = [nn.Linear(d_h, hidden), nn.GELU(), nn.Linear(hidden, SYMBOLS)]
        linear = [nn.Linear(d_h, SYMBOLS)]
        self.read_out = nn.Sequential(*(network if readout == "network" else linear))

    def forward(
        self, tokens: Int[Tensor, "B T"], payload: int = PAYLOAD
    ) -> Float[Tensor, "B K S"]:
        x = F.one_hot(tokens, SYMBOLS + 2).float()
        for n, (layer, norm) in enumerate(zip(self.layers, self.norms, strict=True)):
            made = norm(layer(x))
            x = made if n == 0 else x + F.gelu(made)
        return self.read_out(x[:, -payload:])


@dataclass(frozen=True)
class Run:
    """What is trained, for how many times the usual steps, among how many places."""

    selective: bool
    options: dict
    times: int = 1
    length: int = LENGTH
    spread: bool = False  # gates start at all half-lives alike


RUNS = {
    "selective": Run(True, {}),
    "time-invariant": Run(False, {"d_h": 52}),  # as many parameters
    "time-invariant, 3 x width, 2 x steps": Run(False, {"d_h": 144}, 2),
    "time-invariant, two layers": Run(False, {"layers": 2}),
    "selective, linear readout": Run(True, {"readout": "linear"}),
    "time-invariant, linear readout": Run(False, {"readout": "linear", "d_h": 68}),
    "selective, 256 places": Run(True, {}, length=256),
    "time-invariant, 256 places": Run(False, {"d_h": 52}, length=256),
    "time-invariant, 256 places, 3 x width": Run(False, {"d_h": 144}, length=256),
    "time-invariant, 256 places, spread start": Run(
        False, {"d_h": 52}, length=256, spread=True
    ),
    "time-invariant, 256 places, spread start, 3 x steps": Run(
        False, {"d_h": 52}, 3, 256, spread=True
    ),
    "time-invariant, spread start": Run(False, {"d_h": 52}, spread=True),
}
LIVE = ("time-invariant, spread start",)  # trained in the lecture, and not stored


@dataclass(frozen=True)
class Row:
    """One trained network on 500 new rows: share of right symbols, of right rows."""

    run: str
    seed: int
    parameters: int
    steps: int
    seconds: float
    symbols: float
    whole: float


def train_copier(name: str, seed: int, steps: int | None = None) -> Copier:
    """ROWS fresh rows a step, Adam, one cycle, clipped at 1."""
    set_seed(seed)
    run = RUNS[name]
    model = Copier(run.selective, **run.options)
    first = model.layers[0]
    if run.spread and isinstance(first, GatedLayer):
        first.spread()
    generator = torch.Generator().manual_seed(seed)

    def loss(step: int) -> Tensor:
        tokens, message = selective_copy(generator, ROWS, run.length, PAYLOAD, SYMBOLS)
        return F.cross_entropy(model(tokens).mT, message)

    train(model.parameters(), loss, steps or run.times * STEPS, RATE, 1.0, one_cycle)
    return model


@torch.no_grad()
def score(model: Copier, length: int = LENGTH, rows: int = 500) -> tuple[float, float]:
    """Shares of right symbols and of wholly right rows, on new rows."""
    generator = torch.Generator().manual_seed(10_000)
    tokens, message = selective_copy(generator, rows, length, PAYLOAD, SYMBOLS)
    right = model(tokens).argmax(-1) == message
    return right.float().mean().item(), right.all(1).float().mean().item()


def measure(name: str, seed: int) -> Row:
    """Train and test one network."""
    began = time.process_time()
    model = train_copier(name, seed)
    seconds = round(time.process_time() - began, 1)
    size = sum(p.numel() for p in model.parameters())
    steps = RUNS[name].times * STEPS
    return Row(
        name,
        seed,
        size,
        steps,
        seconds,
        *(round(s, 4) for s in score(model, RUNS[name].length)),
    )


def stored() -> list[Row]:
    """The rows of the table, as they were measured."""
    with TABLE.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [
        Row(name, int(seed), int(size), int(steps), *map(float, rest))
        for name, seed, size, steps, *rest in rows
    ]


def main() -> None:
    """Train what is missing, and write the table: ten minutes."""
    seeds: dict[str, tuple[int, ...]] = {
        name: SEEDS if name in COMPARED else FEW for name in RUNS
    }
    seeds |= dict.fromkeys(LIVE, ())
    rows = stored() if TABLE.exists() else []
    done = {(row.run, row.seed) for row in rows}
    for name in RUNS:
        for seed in seeds[name]:
            if (name, seed) not in done:
                rows.append(measure(name, seed))
                _write(rows)


def _write(rows: list[Row]) -> None:
    with TABLE.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(Row.__dataclass_fields__)
        for row in rows:
            writer.writerow(vars(row).values())


if __name__ == "__main__":
    main()
