"""The tables of lecture 08 (course_lib/attention_*.tsv), measured once.

    python benchmarks/attention_runs.py           # some twenty minutes on one core

Eight models on the thread. They differ in how the source is read (one
way, both ways), in what the decoder is given of it (its last state, the mean of all
features, attention), and in whether a token's embedding is added to its feature. The
width is chosen so that all have about the same number of parameters; models without
attention take fewer seconds for a step and get more steps.

Then the four with attention on the sentences of the grammar, five seeds each: where did
they look? Those without an added embedding once more, trained three times as long.
"""

import argparse
import csv
from itertools import product
from typing import Any

import torch

from course_lib import attention_runs, running_task
from course_lib.attention_runs import Alignment
from course_lib.data import reordering
from course_lib.data.number_words import Pairs
from course_lib.data.vocabulary import Vocabulary
from course_lib.models.additive import AttentionSeq2Seq
from course_lib.running_task import Result
from course_lib.seeds import set_seed

PARAMETERS = 85_000
STEPS = {"attention": 700, "last": 900, "mean": 900}
MODELS: dict[str, dict[str, Any]] = {
    "last state, one way": {"two_way": False, "added": False, "context": "last"},
    "last state, both ways": {"two_way": True, "added": False, "context": "last"},
    "mean, both ways": {"two_way": True, "added": False, "context": "mean"},
    "mean, both ways, + E": {"two_way": True, "added": True, "context": "mean"},
    "attention, one way": {"two_way": False, "added": False},
    "attention, one way, + E": {"two_way": False, "added": True},
    "attention, both ways": {"two_way": True, "added": False},
    "attention, both ways, + E": {"two_way": True, "added": True},
}


def make(name: str, english: int, french: int, width: int = 0) -> AttentionSeq2Seq:
    """The model, of the width that comes nearest to PARAMETERS on the thread."""
    if width:
        return AttentionSeq2Seq(english, french, d_h=width, **MODELS[name])
    data = running_task.load()
    sizes = {}
    for even in range(50, 80, 2):
        model = make(name, len(data.english), len(data.french), even)
        sizes[even] = sum(p.numel() for p in model.parameters())
    nearest = min(sizes, key=lambda even: abs(sizes[even] - PARAMETERS))
    return make(name, english, french, nearest)


def on_the_thread(name: str, seed: int) -> Result:
    """Train and test as the thread does."""
    data = running_task.load()
    steps = STEPS[MODELS[name].get("context", "attention")]
    set_seed(seed)  # also: one thread
    model = make(name, len(data.english), len(data.french))
    return running_task.trained("08", name, model, steps, seed=seed)[0]


def on_the_grammar(name: str, seed: int, steps: int = 200) -> Alignment:
    """Train on sentences alone; ask the links of those kept back."""
    corpus = reordering.load(train=4_000, test=200)
    english = Vocabulary(w for pair in corpus.train for w in pair.english)
    french = Vocabulary(w for pair in corpus.train for w in pair.french)
    learn, test = (
        Pairs(
            tuple(range(len(part))),
            english.rows(pair.english for pair in part),
            french.rows(pair.french for pair in part),
        )
        for part in (corpus.train, corpus.test)
    )
    set_seed(seed)
    model = make(name, len(english), len(french))
    running_task.fit(model, learn, steps, seed)
    said = running_task.translate(model, test.source)
    exact = running_task.exact(said, test.target).double().mean().item()
    with torch.no_grad():
        most = model(test.source, test.target)[1].argmax(dim=2).numpy()
    looks = [row[: len(p.french)] for row, p in zip(most, corpus.test, strict=True)]
    shares = attention_runs.linked_shares(corpus.test, looks)
    return Alignment(name, seed, exact, *shares, steps)


def write_alignments(rows: list[Alignment]) -> None:
    with attention_runs.ALIGNMENTS.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(Alignment._fields)
        for row in rows:
            shares = (f"{share:.4f}" for share in row[2:-1])
            writer.writerow([*row[:2], *shares, row.steps])


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", default=["grammar", "thread"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1], help="thread")
    parser.add_argument("--models", nargs="+", default=list(MODELS), help="thread")
    options = parser.parse_args(words)
    if "grammar" in options.parts:
        names = [name for name in MODELS if name.startswith("attention")]
        bare = [name for name in names if "+ E" not in name]
        runs = [*product(names, range(5), [200]), *product(bare, range(2), [600])]
        write_alignments([on_the_grammar(*run) for run in runs])
    if "thread" in options.parts:
        for seed in options.seeds:
            for name in options.models:
                result = on_the_thread(name, seed)
                running_task.record(result, attention_runs.ABLATION)
                print(result, flush=True)


if __name__ == "__main__":
    main()
