"""What wrong inputs in training do to a decoder: exposure bias, from three seeds.

    python -m course_lib.models.wrong_inputs

trains the models below on the thread, each from three seeds and alone on one thread,
and writes wrong_inputs.tsv: about three minutes. Lecture 07 builds two of them and says
what is measured: how many of the next tokens are lost after one wrong input.
"""

import csv
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor

from course_lib import running_task
from course_lib.data.number_words import Pairs
from course_lib.data.vocabulary import EOS, PAD
from course_lib.models.losses import masked_cross_entropy, shifted
from course_lib.models.seq2seq import Seq2Seq
from course_lib.seeds import set_seed

TABLE = Path(__file__).with_suffix(".tsv")
# How the inputs of the training are made: own words or random ones, and how many.
KINDS = {
    "teacher forcing": (True, 0.0),
    "own words, up to half": (True, 0.5),
    "random words, up to 15 %": (False, 0.15),
    "random words, up to half": (False, 0.5),
}
SEEDS = (0, 1, 2)
FAR = 5  # steps after the wrong input


class Practised(Seq2Seq):
    """Trained with some inputs wrong: their share rises step by step up to `most`."""

    def __init__(self, V_x: int, V_y: int, own: bool, most: float, seed: int) -> None:
        super().__init__(V_x, V_y)
        self.own, self.most, self.calls = own, most, 0
        self.coin = torch.Generator().manual_seed(seed)

    def given(self, source: Int[Tensor, "B T"], before: Int[Tensor, "B U"]) -> Tensor:
        """Logits (B, U, V), given these inputs instead of the true ones."""
        return self._run(before, self.start(self.encode(source)))[0]

    def loss(self, source: Tensor, target: Tensor) -> Tensor:
        before, state = shifted(target), self.start(self.encode(source))
        if self.own:  # from a first pass over the true words
            with torch.no_grad():
                said = self._run(before, state)[0].argmax(dim=2)
        else:
            V = self.read_out.out_features
            said = torch.randint(EOS + 1, V, before.shape, generator=self.coin)
        share = min(self.most, self.calls / running_task.STEPS)
        told = torch.rand(before.shape, generator=self.coin) < 1 - share
        self.calls += 1
        inputs = torch.where(told, before, shifted(said))
        return masked_cross_entropy(self._run(inputs, state)[0], target)


@torch.no_grad()
def lost(model: Practised, pairs: Pairs) -> list[float]:
    """Share of right tokens lost 1 to FAR steps after one wrong input."""
    target, before = pairs.target, shifted(pairs.target)
    logits = model.given(pairs.source, before)
    usual = logits.argmax(dim=2) == target
    others = logits.scatter(2, target[..., None], -torch.inf)[..., EOS + 1 :]
    wrong = others.argmax(dim=2) + EOS + 1  # the likeliest of the wrong words
    counts = torch.zeros(2, FAR)
    for k in range(1, 13):  # the input of step k is replaced
        inputs = before.clone()
        inputs[:, k] = wrong[:, k - 1]
        right = model.given(pairs.source, inputs).argmax(dim=2) == target
        for d in range(FAR):
            real = target[:, k + d] != PAD
            less = usual[real, k + d].sum() - right[real, k + d].sum()
            counts[:, d] += torch.stack([less, real.sum()])
    return (counts[0] / counts[1]).tolist()


@dataclass(frozen=True)
class Row:
    """One trained model; shares between 0 and 1."""

    kind: str
    seed: int
    lost_1: float
    lost_5: float
    exact: float


def trained(kind: str, seed: int) -> Row:
    """Train one model, and measure how it goes on after a wrong input."""
    data, (own, most) = running_task.load(), KINDS[kind]
    set_seed(seed)
    model = Practised(len(data.english), len(data.french), own, most, seed)
    result, _ = running_task.trained("07", kind, model, seed=seed)
    after = lost(model, data.test)
    numbers = (after[0], after[-1], result.exact)
    return Row(kind, seed, *(round(number, 4) for number in numbers))


def stored() -> list[Row]:
    """The rows of the table, as they were measured."""
    with TABLE.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [Row(kind, int(seed), *map(float, rest)) for kind, seed, *rest in rows]


def main() -> None:
    """Train all, and write the table after each."""
    rows = []
    for kind in KINDS:
        for seed in SEEDS:
            rows.append(trained(kind, seed))
            with TABLE.open("w", encoding="utf8", newline="") as file:
                writer = csv.writer(file, delimiter="\t", lineterminator="\n")
                writer.writerow(field.name for field in fields(Row))
                writer.writerows(map(astuple, rows))
            print(rows[-1], flush=True)


if __name__ == "__main__":
    main()
