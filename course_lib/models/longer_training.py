"""What more training buys: the language models of lecture 06, trained for minutes.

    python -m course_lib.models.longer_training

trains the models below, each from seed 0 and alone on one thread, and writes
longer_training.tsv: about four minutes. Letters and byte pairs read about as much
text in a step. Nats are per letter, for the first 33,000 letters of each of the three
validation and the three test plays; the rate was chosen on the first 100,000 letters of
the former together, with runs of 100 to 350 steps.
"""

import csv
import time
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import torch

from course_lib.data import shakespeare
from course_lib.models.language_model import LanguageModel, nats_per_token, read_along
from course_lib.seeds import set_seed
from course_lib.train import one_cycle, train

TABLE = Path(__file__).with_suffix(".tsv")
JUDGED = 33_000  # letters of each play that is held out
CHUNK = {78: 64, 1024: 32}  # tokens in a row: vocabulary of letters, of byte pairs
RUNS = [(V, 128, steps) for steps in (400, 1600) for V in CHUNK] + [(78, 128, 6400)]


@dataclass(frozen=True)
class Row:
    """One trained model."""

    V: int
    width: int
    steps: int
    parameters: int
    seconds: int  # of one processor
    validation: float  # nats per letter
    test: float


def held_out(split: str) -> str:
    """The beginnings of the plays of a split, one after the other."""
    plays = (work for work in shakespeare.works() if work.split == split)
    return "\n".join(play.text[:JUDGED] for play in plays)


def trained(V: int, width: int, steps: int) -> Row:
    """Train one model, and judge it per letter, whatever its tokens are."""
    corpus = shakespeare.tokens(V)
    set_seed(0)
    model, began = LanguageModel(V, width // 2, width), time.process_time()
    loss = read_along(model, torch.tensor(corpus.train), rows=32, chunk=CHUNK[V])
    train(model.parameters(), loss, steps, lr=0.03, clip=1.0, schedule=one_cycle)
    seconds = round(time.process_time() - began)
    judged = []
    for split in ("validation", "test"):
        text = held_out(split)
        tokens = torch.tensor(corpus.encode(text))
        total = nats_per_token(model, tokens) * (len(tokens) - 1)
        judged.append(round(total / len(text), 4))
    parameters = sum(p.numel() for p in model.parameters())
    return Row(V, width, steps, parameters, seconds, *judged)


def stored() -> list[Row]:
    """The rows of the table, as they were measured."""
    with TABLE.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [Row(*map(int, numbers[:5]), *map(float, numbers[5:])) for numbers in rows]


def main() -> None:
    """Train all, and write the table after each."""
    rows = []
    for run in RUNS:
        rows.append(trained(*run))
        with TABLE.open("w", encoding="utf8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerow(field.name for field in fields(Row))
            writer.writerows(map(astuple, rows))
        print(rows[-1], flush=True)


if __name__ == "__main__":
    main()
