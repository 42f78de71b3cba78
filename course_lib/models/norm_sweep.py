"""Rate, place of the norm, warm-up: 80 deep networks on the order task. Lecture 10.

    python -m course_lib.models.norm_sweep

trains every combination of PLACES, RATES, WARM_UPS and SEEDS and writes norm_sweep.tsv,
about four minutes. Each network has 12 blocks of width 16 and reads batches of 32 rows
of 8 letters (course_lib.data.tasks.order), 400 steps of Adam. The rate rises evenly
during the warm-up and then stays. All networks of one place are trained at once: their
weights are the rows of one matrix, and each row has its own loss, rate and Adam.
"""

import csv
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.func import functional_call, vmap

from course_lib.data.tasks import order
from course_lib.models.positions import sinusoids
from course_lib.models.transformer import EncoderLayer
from course_lib.train import progress

TABLE = Path(__file__).parents[1] / "norm_sweep.tsv"
PLACES = ("post-norm", "pre-norm")
RATES = (0.0003, 0.001, 0.003, 0.01)
WARM_UPS = (0, 100)  # steps
SEEDS = range(5)
STEPS, LAST = 400, 20  # the loss of a run is the mean of its last steps
BATCH, LENGTH, WIDTH, BLOCKS = 32, 8, 16, 12


@dataclass(frozen=True)
class Setting:
    """What a network is trained with."""

    rate: float
    warm_up: int
    seed: int


@dataclass(frozen=True)
class Row:
    """One trained network; a coin has a loss of 0.693."""

    place: str
    rate: float
    warm_up: int
    seed: int
    loss: float


class DeepReader(nn.Module):
    """Is the a before the b? Blocks, the mean over all positions, one logit."""

    def __init__(self, place: str) -> None:
        super().__init__()
        first = place == "pre-norm"
        self.embed = nn.Embedding(8, WIDTH)
        self.blocks = nn.ModuleList(
            EncoderLayer(WIDTH, 2, 2 * WIDTH, first) for _ in range(BLOCKS)
        )
        self.norm = nn.LayerNorm(WIDTH) if first else nn.Identity()
        self.read_out = nn.Linear(WIDTH, 1)

    def forward(self, rows: Int[Tensor, "B N"]) -> Float[Tensor, " B"]:
        x = self.embed(rows) + sinusoids(rows.shape[1], WIDTH)
        for block in self.blocks:
            # with the weights asked for, torch can run many networks in one call
            x = block(x, need_weights=True).output
        return self.read_out(self.norm(x).mean(dim=1))[:, 0]


def losses(
    place: str, settings: Sequence[Setting], steps: int = STEPS
) -> Float[Tensor, "nets steps"]:
    """Train one network for each setting; the loss of every step."""
    model, weights = _started(place, [setting.seed for setting in settings])
    shapes = {name: p.shape for name, p in model.named_parameters()}
    sizes = [shape.numel() for shape in shapes.values()]

    def loss(row: Tensor, tokens: Tensor, y_star: Tensor) -> Tensor:
        cut = zip(shapes.items(), row.split(sizes), strict=True)
        parts = {name: part.view(shape) for (name, shape), part in cut}
        logits = functional_call(model, parts, (tokens,))
        return F.binary_cross_entropy_with_logits(logits, y_star)

    batches = [torch.Generator().manual_seed(s.seed) for s in settings]
    adam, history = _Adam(weights, settings), []
    for _ in progress(range(steps), f"{len(settings)} networks, {place}"):
        drawn = [order(generator, BATCH, LENGTH) for generator in batches]
        tokens, y_star = (torch.stack(part) for part in zip(*drawn, strict=True))
        each = vmap(loss)(weights, tokens, y_star)
        (gradient,) = torch.autograd.grad(each.sum(), weights)
        adam.step(gradient)
        history.append(each.detach())
    return torch.stack(history, dim=1)


def _started(place: str, seeds: Sequence[int]) -> tuple[DeepReader, Tensor]:
    """A network for its shapes, and the weights of all networks: (nets, parameters)."""
    models = []
    with torch.random.fork_rng(devices=[]):
        for seed in seeds:
            torch.manual_seed(seed)
            models.append(DeepReader(place))
    flat = [nn.utils.parameters_to_vector(m.parameters()).detach() for m in models]
    return models[0], torch.stack(flat).requires_grad_()


class _Adam:
    """Adam for the rows of a matrix, each with its own rate and warm-up."""

    def __init__(self, weights: Tensor, settings: Sequence[Setting]) -> None:
        self.weights, self.steps = weights, 0
        self.mean, self.square = torch.zeros(2, *weights.shape)
        self.rate = torch.tensor([s.rate for s in settings])[:, None]
        self.warm_up = torch.tensor([max(1, s.warm_up) for s in settings])[:, None]

    @torch.no_grad()
    def step(self, gradient: Tensor) -> None:
        self.steps += 1
        self.mean.lerp_(gradient, 0.1)
        self.square.lerp_(gradient**2, 0.001)
        mean = self.mean / (1 - 0.9**self.steps)
        square = self.square / (1 - 0.999**self.steps)
        rate = self.rate * (self.steps / self.warm_up).clamp(max=1)
        self.weights -= rate * mean / (square.sqrt() + 1e-8)


def swept() -> list[Row]:
    """Every combination, each place at once."""
    settings = [Setting(r, w, s) for r in RATES for w in WARM_UPS for s in SEEDS]
    rows = []
    for place in PLACES:
        ends = losses(place, settings)[:, -LAST:].mean(dim=1).tolist()
        rows += [
            Row(place, s.rate, s.warm_up, s.seed, round(end, 4))
            for s, end in zip(settings, ends, strict=True)
        ]
    return rows


def stored() -> list[Row]:
    """The rows of the table, as they were measured."""
    with TABLE.open(encoding="utf8", newline="") as file:
        lines = list(csv.reader(file, delimiter="\t"))[1:]
    return [
        Row(place, float(rate), int(warm_up), int(seed), float(loss))
        for place, rate, warm_up, seed, loss in lines
    ]


def main() -> None:
    """Train all, and write the table."""
    rows = swept()
    with TABLE.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(field.name for field in fields(Row))
        writer.writerows(astuple(row) for row in rows)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
