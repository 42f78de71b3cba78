r"""How many pairs fit into a state? One head, four ways to remember. Lecture 17.

    python -m course_lib.models.pair_runs

trains each WAY from each seed on pairs of a key and a value and writes pair_runs.tsv.
All have the same parameters: vectors for KEYS keys (d_k numbers each) and for VALUES
values, and a readout. Only what lies between writing and asking differs:

| way       | what is kept of P pairs          | numbers kept  |
|-----------|----------------------------------|---------------|
| sum       | S = sum of k v^T                 | d_k d_v       |
| decay     | S <- g S + k v^T, g learned      | d_k d_v       |
| delta     | S <- S + beta k (v - S^T k)^T    | d_k d_v       |
| softmax   | every key and every value        | P (d_k + d_v) |

A delta rule with a small beta writes little, so what it reads is divided by beta: else
training would keep beta large only to be heard. It starts with beta = 0.12, nearly the
sum, and learns the rest.

In the task "new keys" every key of a row is told once. In "written again" there are
AGAIN keys only, and the latest value counts. A constant answer is right in 1 of VALUES
cases.
"""

import csv
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.data.memory_tasks import latest_pairs, lookup_pairs
from course_lib.models.fast_weights import decayed, delta_rule
from course_lib.seeds import set_seed
from course_lib.train import one_cycle, train

TABLE = Path(__file__).with_suffix(".tsv")
WAYS = ("sum", "decay", "delta", "softmax")
KEYS, VALUES, AGAIN = 64, 16, 8
SQUARE = ((8, 8), (16, 16), (32, 32))  # d_k, d_v
OBLONG = ((8, 32), (32, 8))  # as many numbers as 16 x 16; FEW ways
FEW = ("sum", "softmax")
TASKS = {"new keys": (lookup_pairs, KEYS), "written again": (latest_pairs, AGAIN)}
NUMBERS = (4, 8, 16, 32, 64)  # pairs, in training as in the test
STEPS, RATE, SEEDS = 250, 0.03, (0, 1, 2, 3, 4)


class PairMemory(nn.Module):
    """Write P pairs, then answer P keys."""

    def __init__(self, way: str, d_k: int = 16, d_v: int = 16) -> None:
        super().__init__()
        if way not in WAYS:
            raise ValueError(f"way is {way!r}, expected one of {WAYS}")
        self.way = way
        self.key = nn.Embedding(KEYS, d_k)
        self.value = nn.Embedding(VALUES, d_v)
        self.read_out = nn.Linear(d_v, VALUES)
        start = -2.0 if way == "delta" else 2.0
        self.free = nn.Parameter(torch.tensor(start))  # sharpness, gate or beta

    def forward(
        self,
        keys: Int[Tensor, "B P"],
        values: Int[Tensor, "B P"],
        asked: Int[Tensor, "B P"],
    ) -> Float[Tensor, "B P V"]:
        k, v = F.normalize(self.key(keys), dim=-1), self.value(values)
        q = k.gather(1, asked[..., None].expand_as(k))
        if self.way == "softmax":
            weights = (4 * self.free * q @ k.mT).softmax(dim=-1)
            return self.read_out(weights @ v)
        ones = torch.ones_like(k[..., 0])
        if self.way == "delta":
            beta = self.free.sigmoid()
            S = delta_rule(k, k, v, beta * ones)[1] / beta
        else:
            log_g = F.logsigmoid(2 * self.free) if self.way == "decay" else 0.0
            S = decayed(k, k, v, log_g * ones)[1]
        return self.read_out(q @ S)


@dataclass(frozen=True)
class Row:
    """One trained memory: its share of right answers for each of NUMBERS."""

    task: str
    d_k: int
    d_v: int
    way: str
    seed: int
    right: tuple[float, ...]


def train_memory(
    task: str, shape: tuple[int, int], way: str, seed: int, steps: int = STEPS
) -> PairMemory:
    """Every step draws one of NUMBERS and 32 rows of as many pairs."""
    set_seed(seed)
    model, (draw, keys) = PairMemory(way, *shape), TASKS[task]
    generator = torch.Generator().manual_seed(seed)

    def loss(step: int) -> Tensor:
        pairs = NUMBERS[int(torch.randint(len(NUMBERS), (), generator=generator))]
        told, values, asked = draw(generator, 32, pairs, keys, VALUES)
        logits = model(told, values, asked)
        return F.cross_entropy(logits.mT, values.gather(1, asked))

    train(model.parameters(), loss, steps, RATE, 1.0, one_cycle)
    return model


@torch.no_grad()
def score(model: PairMemory, task: str, pairs: int, rows: int = 200) -> float:
    """The share of right answers on new rows."""
    generator = torch.Generator().manual_seed(1000 + pairs)
    draw, keys = TASKS[task]
    told, values, asked = draw(generator, rows, pairs, keys, VALUES)
    answers = model(told, values, asked).argmax(-1)
    return (answers == values.gather(1, asked)).float().mean().item()


def measure(
    task: str, shape: tuple[int, int], way: str, seed: int, steps: int = STEPS
) -> Row:
    """Train one, and ask it at every number of pairs."""
    model = train_memory(task, shape, way, seed, steps)
    right = tuple(score(model, task, pairs) for pairs in NUMBERS)
    return Row(task, *shape, way, seed, right)


def stored() -> list[Row]:
    """The rows of the table, as they were measured."""
    with TABLE.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [
        Row(task, int(d_k), int(d_v), way, int(seed), tuple(map(float, right)))
        for task, d_k, d_v, way, seed, *right in rows
    ]


def main() -> None:
    """Train what is missing, and write the table after each run: two minutes."""
    kinds = [("new keys", shape, WAYS) for shape in SQUARE]
    kinds += [("new keys", shape, FEW) for shape in OBLONG]
    kinds.append(("written again", SQUARE[1], WAYS))
    rows = stored() if TABLE.exists() else []
    done = {(row.task, (row.d_k, row.d_v), row.way, row.seed) for row in rows}
    for (task, shape, ways), seed in product(kinds, SEEDS):
        for way in ways:
            if (task, shape, way, seed) not in done:
                rows.append(measure(task, shape, way, seed))
                _write(rows)


def _write(rows: list[Row]) -> None:
    with TABLE.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(["task", "d_k", "d_v", "way", "seed", *NUMBERS])
        for row in rows:
            right = (f"{r:.4f}" for r in row.right)
            first = [row.task, row.d_k, row.d_v, row.way, row.seed]
            writer.writerow([*first, *right])


if __name__ == "__main__":
    main()
