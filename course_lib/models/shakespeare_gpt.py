r"""A small GPT that has read Shakespeare, shipped with the course. Lecture 11.

    model, pairs = shakespeare_gpt.load(), shakespeare_gpt.tokens()
    text = shakespeare_gpt.write(model, "ROMEO.\n", length=100)
    nats = shakespeare_gpt.nats_per_letter(model, shakespeare.text("test")[:30_000])

`python benchmarks/train_shakespeare_gpt.py` trained it, on one core, with SETTINGS; it
chose by the validation plays, and its log is shakespeare_gpt.tsv. The weights are kept
in half precision and are single again when they are loaded; what is not the file whose
SHA-256 stands here is refused before anything of it is read.
"""

import csv
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import safetensors.torch
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from course_lib.data import shakespeare
from course_lib.data.installed import MissingDataError
from course_lib.models.gpt import GPT
from course_lib.search import sample

WEIGHTS = Path(__file__).with_suffix(".safetensors")
SHA256 = "5c0ae327eda48693baa388ee2ca4c7588c5fbb68abb37c86f5b93938dcae5210"
LOG = Path(__file__).with_suffix(".tsv")
JUDGED = 100_000  # letters of a held-out split, as in lecture 06


@dataclass(frozen=True)
class Settings:
    """All that decides what a training run gives, beside the text and the machine."""

    vocabulary: int = 1024  # byte pairs
    d_model: int = 256
    heads: int = 4
    layers: int = 4
    context: int = 256  # tokens, some 700 letters
    rows: int = 8  # pieces of text in a step, `context` tokens each
    steps: int = 3000
    rate: float = 2e-3  # reached after `warm_up` steps, kept, then let down to 0
    warm_up: int = 200
    falling: float = 0.4  # share of the steps in which the rate falls, as a cosine
    decay: float = 0.1  # AdamW's weight decay, on matrices only
    dropout: float = 0.1
    clip: float = 1.0
    seed: int = 0


SETTINGS = Settings()


class Logged(NamedTuple):
    """One line of the training log."""

    step: int
    training: float  # nats a token, mean since the line before
    validation: float  # nats a letter, first 100,000 letters of the validation plays
    seconds: float  # of one core, since the beginning


def blank(settings: Settings = SETTINGS) -> GPT:
    """A model of this size that has read nothing yet; seed it before."""
    made = settings
    return GPT(made.vocabulary, made.d_model, made.heads, made.layers, made.context)


def tokens() -> shakespeare.Corpus:
    """The byte pairs that the model reads and writes, and the plays in them."""
    return shakespeare.tokens(SETTINGS.vocabulary)


def load(
    path: Path = WEIGHTS, sha256: str = SHA256, settings: Settings = SETTINGS
) -> GPT:
    """The trained model: single precision, ready to be asked (`eval`)."""
    stored = safetensors.torch.load(verified(path, sha256))
    model = blank(settings)
    model.load_state_dict({name: value.float() for name, value in stored.items()})
    return model.eval()


def verified(path: Path, sha256: str) -> bytes:
    """The bytes of the file; refused unless their SHA-256 is the one expected."""
    again = "take it from the course's folder again, or ./course update"
    if not path.is_file():
        raise MissingDataError(f"{path.name}, a trained GPT, is missing: {again}")
    data = path.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise ValueError(
            f"{path.name} has the SHA-256 {found[:12]}…, expected {sha256[:12]}…: "
            f"these are other weights, or damaged ones; {again}"
        )
    return data


def log() -> list[Logged]:
    """How the training went."""
    with LOG.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [Logged(int(step), *map(float, rest)) for step, *rest in rows]


@torch.no_grad()
def costs(
    model: GPT, numbers: Int[Tensor, " T"], fresh: int | None = None, rows: int = 8
) -> Float[Tensor, " T-1"]:
    r"""$-\ln p$ of every token but the first, each with half a context before it.

    The text is read in windows of `model.context` tokens. A window begins `fresh`
    tokens after the one before it, half a context unless given, and judges only what
    no earlier window has judged. So all tokens but those of the first window are judged
    in view of at least `context - fresh` others.
    """
    inputs, targets = numbers[:-1], numbers[1:]
    size = min(model.context, len(inputs))
    last, fresh = len(inputs) - size, fresh or (model.context + 1) // 2
    starts = torch.tensor([*range(0, last, fresh), last])
    windows = starts[:, None] + torch.arange(size)  # (windows, size)
    found = torch.full((len(inputs),), float("nan"))
    for window in windows.flip(0).split(rows):  # earlier windows write over later ones
        logits = model(inputs[window]).float()
        cost = F.cross_entropy(
            logits.flatten(0, 1), targets[window].flatten(), reduction="none"
        )
        for where, values in zip(window, cost.view(window.shape), strict=True):
            found[where] = values
    return found


def nats_per_letter(model: GPT, text: str, fresh: int | None = None) -> float:
    """What the text costs, divided by its letters, as lecture 06 counts them.

    30,000 letters take about three seconds of one core.
    """
    numbers = torch.tensor(shakespeare.tokens(len(model.embed.weight)).encode(text))
    return costs(model, numbers, fresh).sum().item() / len(text)


@torch.no_grad()
def write(
    model: GPT,
    start: str,
    length: int = 200,
    temperature: float = 0.8,
    seed: int = 0,
) -> str:
    """`length` tokens that follow the start, drawn one by one with the cache."""
    codec = shakespeare.tokens(len(model.embed.weight)).codec
    numbers = torch.tensor(codec.encode(start))
    step, state = model.decoder(numbers[None, :-1])
    draws = torch.Generator().manual_seed(seed)
    ends = {"sos": int(numbers[-1]), "eos": -1}
    drawn = sample(step, state, 1, length, draws, temperature, **ends)
    return codec.decode(drawn.tokens[0].tolist())
