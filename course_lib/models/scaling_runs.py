r"""A sweep over sizes and data: the loss on Shakespeare's letters. Lecture 12.

    python benchmarks/scaling.py          # trains what scaling_runs.tsv does not have

Every run is the model of course_lib.models.modern with two blocks, four heads of
queries and two of keys and values; only its width differs. It reads `letters` letters
of the training plays in windows of 64, sixteen a step, no window twice unless
`unique`, the letters there are to read, is smaller. Adam, one cycle of the rate. Judged
are the first 33,000 letters of each validation and each test play; rates were chosen on
the former, and nothing on the latter.
"""

import csv
import time
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor

from course_lib.data import shakespeare
from course_lib.models.longer_training import held_out
from course_lib.models.modern import ModernLM
from course_lib.seeds import set_seed
from course_lib.train import one_cycle, train

TABLE = Path(__file__).with_suffix(".tsv")
CONTEXT, ROWS = 64, 16  # letters of a window, windows of a step
LAYERS, HEADS, KV_HEADS = 2, 4, 2
WIDTHS = (8, 16, 24, 32, 48, 64)
HELD_OUT = 128  # the width that no fit sees
BUDGETS = (2**18, 2**19, 2**20, 2**21)  # letters
RATES = {  # tried with BUDGETS[1] and seed 0
    8: (0.005, 0.01, 0.02, 0.04, 0.08),
    16: (0.005, 0.01, 0.02, 0.04, 0.08),
    24: (0.005, 0.01, 0.02, 0.04),
    32: (0.005, 0.01, 0.02, 0.04),
    48: (0.005, 0.01, 0.02),
    64: (0.005, 0.01, 0.02),
}
FEW = 2**16  # different letters, in the runs that read them again and again
FEW_WIDTHS = (16, 32, 64)


def rate(width: int) -> float:
    """The rule that the tuned rates suggest: the wider, the smaller the steps."""
    return round(0.64 / width, 5)


@dataclass(frozen=True)
class Setting:
    """What is trained, on what, and how."""

    width: int
    letters: int  # read in training: D
    rate: float
    seed: int = 0
    unique: int = 0  # different letters among them; 0: all of them


@dataclass(frozen=True)
class Row:
    """One trained model; losses in nats a letter."""

    width: int
    letters: int
    rate: float
    seed: int
    unique: int
    size: int  # N, without the embedding
    seconds: float  # of one processor
    training: float  # mean of the last tenth of the steps
    validation: float
    test: float

    @property
    def setting(self) -> Setting:
        return Setting(self.width, self.letters, self.rate, self.seed, self.unique)


def planned(
    widths: tuple[int, ...], budgets: tuple[int, ...], seed: int = 0, unique: int = 0
) -> list[Setting]:
    """Every width with every budget, at the rate of the rule."""
    return [Setting(w, D, rate(w), seed, unique) for D in budgets for w in widths]


STAGES = {
    "small": planned(WIDTHS, BUDGETS),
    "held out": planned((HELD_OUT,), BUDGETS),
    # afterwards: would another rate have helped the one that was held out?
    "held out, rates": [Setting(HELD_OUT, BUDGETS[0], r) for r in (0.01, 0.0025)],
    "rates": [Setting(w, BUDGETS[1], r) for w in WIDTHS for r in RATES[w]],
    "held out, seeds": planned((HELD_OUT,), BUDGETS[:2], seed=1),
    "few": planned(FEW_WIDTHS, BUDGETS[2:3], unique=FEW),
    "seeds": planned(WIDTHS, BUDGETS[:3], seed=1),
}


def blank(width: int, seed: int = 0) -> ModernLM:
    """The untrained model of a width."""
    set_seed(seed)
    return ModernLM(len(shakespeare.LETTERS), width, HEADS, KV_HEADS, LAYERS)


def read_order(windows: int, setting: Setting) -> Int[Tensor, "steps rows"]:
    """Which windows each step reads: all in random order, then all again."""
    shuffle = torch.Generator().manual_seed(setting.seed)
    there = torch.randperm(windows, generator=shuffle)
    wanted = setting.letters // CONTEXT
    if setting.unique:
        there = there[: setting.unique // CONTEXT]
    passes = [there]
    while sum(map(len, passes)) < wanted:
        again = torch.randperm(len(there), generator=shuffle)
        passes.append(there[again])
    return torch.cat(passes)[:wanted].view(-1, ROWS)


def learn(model: ModernLM, setting: Setting) -> list[float]:
    """Train it; the loss of every step."""
    numbers = torch.tensor(shakespeare.letters().train)
    order = read_order((len(numbers) - 1) // CONTEXT, setting)
    inside = torch.arange(CONTEXT + 1)

    def loss(step: int) -> Tensor:
        return model.loss(numbers[order[step][:, None] * CONTEXT + inside])

    return train(model.parameters(), loss, len(order), setting.rate, 1.0, one_cycle)


@torch.no_grad()
def nats(model: ModernLM, split: str) -> float:
    """Nats a letter; every letter but the first 32 has at least 32 others in view."""
    numbers = torch.tensor(shakespeare.letters().encode(held_out(split)))
    half = CONTEXT // 2
    starts = torch.arange(0, len(numbers) - CONTEXT - 1, half)
    total, count = 0.0, 0
    for part in starts.split(64):
        rows = numbers[part[:, None] + torch.arange(CONTEXT + 1)]
        logits = model(rows[:, :-1])[:, half:]
        wanted = rows[:, half + 1 :]
        total += F.cross_entropy(
            logits.flatten(0, 1), wanted.flatten(), reduction="sum"
        ).item()
        count += wanted.numel()
    return total / count


def trained(setting: Setting) -> tuple[ModernLM, Row]:
    """Train and judge one model."""
    began = time.process_time()
    model = blank(setting.width, setting.seed)
    losses = learn(model, setting)
    seconds = time.process_time() - began
    last = losses[-max(1, len(losses) // 10) :]
    row = Row(
        setting.width,
        setting.letters,
        setting.rate,
        setting.seed,
        setting.unique,
        model.size,
        round(seconds, 1),
        round(sum(last) / len(last), 4),
        round(nats(model, "validation"), 4),
        round(nats(model, "test"), 4),
    )
    return model, row


def stored(path: Path = TABLE) -> list[Row]:
    """The rows of the table, as they were measured."""
    if not path.exists():
        return []
    with path.open(encoding="utf8", newline="") as file:
        lines = list(csv.reader(file, delimiter="\t"))[1:]
    kinds = [int, int, float, int, int, int, float, float, float, float]
    return [
        Row(*(kind(entry) for kind, entry in zip(kinds, line, strict=True)))
        for line in lines
    ]


def by_rule(path: Path = TABLE, seed: int = 0) -> list[Row]:
    """The runs of the law: rate of the rule, no letter twice; by budget, then width."""
    kept = [
        row
        for row in stored(path)
        if row.seed == seed and not row.unique and row.rate == rate(row.width)
    ]
    return sorted(kept, key=lambda row: (row.letters, row.width))


def add(row: Row, path: Path = TABLE) -> None:
    """Write one more row."""
    new = not path.exists()
    with path.open("a", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        if new:
            writer.writerow(field.name for field in fields(Row))
        writer.writerow(astuple(row))
