"""Train the small GPT that the course ships: course_lib/models/shakespeare_gpt.

    python benchmarks/train_shakespeare_gpt.py --work FOLDER  # half an hour, one core
    python benchmarks/train_shakespeare_gpt.py --help

The settings are those of `shakespeare_gpt.SETTINGS` unless an option says otherwise.
The run can be stopped at any time and goes on, with the same numbers, from its last
checkpoint in the folder `--work`. When it is done, `--store` writes the weights that
were best on the validation plays beside the loader, in half precision, and the log
with them, and prints the SHA-256 that belongs into the loader.

The rate rises, stays, and falls as a cosine over the last part of the steps. As long as
it has not begun to fall, a run may be continued with another number of steps and gives
what that number would have given from the start.
"""

import argparse
import csv
import hashlib
import math
import time
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path

import safetensors.torch
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.data import shakespeare
from course_lib.models import shakespeare_gpt
from course_lib.models.attention import Attended, MultiHeadAttention
from course_lib.models.gpt import GPT, start_small
from course_lib.models.shakespeare_gpt import JUDGED, Logged, Settings
from course_lib.models.transformer import FeedForward
from course_lib.seeds import set_seed


class DroppingAttention(MultiHeadAttention):
    """Attention whose output loses a share of its numbers while it is trained."""

    share = 0.0

    def attend(self, *asked, **wanted) -> Attended:
        output, weights = super().attend(*asked, **wanted)
        return Attended(F.dropout(output, self.share, self.training), weights)


class DroppingFeed(FeedForward):
    """The same for the feed-forward network."""

    share = 0.0

    def forward(self, x: Tensor) -> Tensor:
        return F.dropout(super().forward(x), self.share, self.training)


def to_train(settings: Settings) -> GPT:
    """The library's GPT with dropout on embeddings and sub-layers; the same weights."""
    model = shakespeare_gpt.blank(settings)
    for layer in model.layers:
        layer.attend = DroppingAttention(settings.d_model, settings.heads)
        feed = layer.feed
        layer.feed = DroppingFeed(
            settings.d_model, feed.first.out_features, feed.activation
        )
        layer.attend.share = layer.feed.share = settings.dropout
    share = settings.dropout
    model.embed.register_forward_hook(
        lambda table, _, read: F.dropout(read, share, table.training)
    )
    start_small(model)
    return model


def optimiser_of(model: GPT, settings: Settings) -> torch.optim.AdamW:
    """AdamW; biases and norms are not drawn to zero, nor are the embeddings."""
    matrices, others = [], []
    for name, parameter in model.named_parameters():
        inner = parameter.dim() == 2 and name.startswith("layers.")
        (matrices if inner else others).append(parameter)
    groups = [
        {"params": matrices, "weight_decay": settings.decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=settings.rate, betas=(0.9, 0.95), fused=True)


def rate(step: int, settings: Settings) -> float:
    """The learning rate of a step: up, level, and down as half a cosine."""
    falling = settings.falling * settings.steps
    left = (settings.steps - step) / falling if falling else 1.0
    down = (1 - math.cos(math.pi * min(1.0, left))) / 2
    return settings.rate * min(1.0, (step + 1) / settings.warm_up) * down


@dataclass
class Run:
    """A training run and all that is needed to go on with it."""

    settings: Settings
    model: GPT
    optimiser: torch.optim.AdamW
    step: int = 0
    seconds: float = 0.0
    log: list[Logged] = field(default_factory=list)
    best: dict[str, Tensor] = field(default_factory=dict)

    @classmethod
    def new(cls, settings: Settings) -> "Run":
        set_seed(settings.seed)
        model = to_train(settings)
        return cls(settings, model, optimiser_of(model, settings))

    def save(self, path: Path) -> None:
        kept = {
            "settings": asdict(self.settings),
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "so far": (self.step, self.seconds, [tuple(line) for line in self.log]),
            "best": self.best,
        }
        draft = path.with_suffix(".new")
        torch.save(kept, draft)
        draft.replace(path)

    def go_on_from(self, path: Path) -> None:
        kept = torch.load(path, weights_only=True)
        before = Settings(**kept["settings"])
        if replace(before, steps=self.settings.steps) != self.settings:
            raise SystemExit(f"{path} belongs to other settings: {before}")
        for steps in (before.steps, self.settings.steps):
            begun = kept["so far"][0] > (1 - self.settings.falling) * steps
            if begun and before != self.settings:
                raise SystemExit(f"the rate falls already: finish with {before.steps}")
        self.model.load_state_dict(kept["model"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.step, self.seconds, lines = kept["so far"]
        self.log, self.best = [Logged(*line) for line in lines], kept["best"]


def batch(train: Tensor, step: int, settings: Settings) -> Tensor:
    """Pieces from anywhere in the training plays; a step always gets the same ones."""
    torch.manual_seed(settings.seed * 1_000_003 + step)  # and the same dropout
    starts = torch.randint(len(train) - settings.context, (settings.rows, 1))
    return train[starts + torch.arange(settings.context + 1)]


def train_one(run: Run, pieces: Tensor) -> float:
    """One step; the loss in nats a token. Products are computed in bfloat16."""
    for group in run.optimiser.param_groups:
        group["lr"] = rate(run.step, run.settings)
    with torch.autocast("cpu", torch.bfloat16):
        logits = run.model(pieces[:, :-1])
    loss = F.cross_entropy(logits.float().flatten(0, 1), pieces[:, 1:].flatten())
    run.optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(run.model.parameters(), run.settings.clip)
    run.optimiser.step()
    return loss.item()


def judge(model: GPT, text: str) -> float:
    """Nats a letter, read as it is trained: bfloat16, but no dropout."""
    model.eval()
    with torch.autocast("cpu", torch.bfloat16):
        nats = shakespeare_gpt.nats_per_letter(model, text)
    model.train()
    return nats


def train(run: Run, work: Path, every: int, letters: int = JUDGED) -> None:
    """Until the last step; every so many steps judge, note and save."""
    corpus = shakespeare.tokens(run.settings.vocabulary)
    text, plays = shakespeare.text("validation")[:letters], torch.tensor(corpus.train)
    losses, began = [], time.process_time() - run.seconds
    while run.step < run.settings.steps:
        losses.append(train_one(run, batch(plays, run.step, run.settings)))
        run.step += 1
        if run.step % every and run.step < run.settings.steps:
            continue
        nats = judge(run.model, text)
        if not run.log or nats < min(line.validation for line in run.log):
            state = run.model.state_dict()
            run.best = {name: value.half().clone() for name, value in state.items()}
        run.seconds = time.process_time() - began
        mean, losses = sum(losses) / len(losses), []
        run.log.append(Logged(run.step, mean, nats, run.seconds))
        run.save(work / "checkpoint.pt")
        print(
            f"step {run.step:,} of {run.settings.steps:,}: training {mean:.3f} nats a "
            f"token, validation {nats:.4f} nats a letter, {run.seconds:,.0f} s",
            flush=True,
        )


def store(run: Run, weights: Path, table: Path) -> str:
    """Write the best weights and the log; the SHA-256 of the weights."""
    content = safetensors.torch.save(run.best)
    weights.write_bytes(content)
    with table.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(Logged._fields)
        for step, mean, nats, seconds in run.log:
            writer.writerow([step, f"{mean:.4f}", f"{nats:.4f}", round(seconds)])
    return hashlib.sha256(content).hexdigest()


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Options: one for each setting, and where to work."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    text = "folder for the checkpoint, outside the course"
    parser.add_argument("--work", type=Path, required=True, help=text)
    text = "steps between two judgements, each saved"
    parser.add_argument("--every", type=int, default=250, help=text)
    text = "letters of the validation plays that judge"
    parser.add_argument("--letters", type=int, default=JUDGED, help=text)
    text = "at the end, write weights and log here, beside the loader unless given"
    beside = shakespeare_gpt.WEIGHTS
    parser.add_argument("--store", type=Path, nargs="?", const=beside, help=text)
    for one in fields(Settings):
        name = f"--{one.name.replace('_', '-')}"
        default = getattr(shakespeare_gpt.SETTINGS, one.name)
        text = f"{default} unless given"
        parser.add_argument(name, type=type(default), default=default, help=text)
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    """Train, or go on; then store if asked."""
    given = parsed(arguments)
    chosen = {one.name: getattr(given, one.name) for one in fields(Settings)}
    given.work.mkdir(parents=True, exist_ok=True)
    run = Run.new(Settings(**chosen))
    if (given.work / "checkpoint.pt").exists():
        run.go_on_from(given.work / "checkpoint.pt")
    train(run, given.work, given.every, given.letters)
    if given.store:
        sha256 = store(run, given.store, given.store.with_suffix(".tsv"))
        print(f"{given.store.name}: SHA-256 {sha256}")


if __name__ == "__main__":
    main()
