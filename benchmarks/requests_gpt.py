"""Train the base model of lecture 12b, and measure every way of tuning it.

    python benchmarks/requests_gpt.py base     # three minutes: weights, and their hash
    python benchmarks/requests_gpt.py tune     # ten minutes: requests_gpt.tsv

One core. The learning rate of each kind of tuning is chosen on requests for validation
(two seeds other than those reported), then five seeds are measured on the test. How the
stored table came about in two steps is told in course_lib/models/requests_gpt.py.
"""

import argparse
import csv
import hashlib
import itertools
import math
import time

import numpy as np
import safetensors.torch
import torch

from course_lib.data import requests
from course_lib.data.requests import KNOWN, NUMBER, OPERATIONS, PAD
from course_lib.models import requests_gpt as library
from course_lib.models.gpt import GPT
from course_lib.seeds import set_seed
from course_lib.train import one_cycle, train

BASE_STEPS, BASE_ROWS, BASE_RATE = 1200, 96, 5e-3
SEEDS, CHOSEN_BY = range(5), (10, 11)
KINDS = ("last attention", "last block", "everything")
KINDS += tuple(f"rank {r}" for r in (1, 2, 4, 8, 16))


def pre_train(steps: int = BASE_STEPS) -> GPT:
    """Next-token loss over all tokens of library text, fresh text at every step."""
    set_seed(0)
    model, rng = library.blank(), np.random.default_rng(0)

    def loss(_step: int) -> torch.Tensor:
        tokens = requests.rows(requests.library_text(rng, BASE_ROWS))
        return model.loss(tokens, tokens != NUMBER[PAD])

    train(model.parameters(), loss, steps, BASE_RATE, 1.0, one_cycle)
    return model.eval()


def store_base(model: GPT) -> str:
    half = {name: value.half() for name, value in model.state_dict().items()}
    data = safetensors.torch.save(half)
    library.WEIGHTS.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def rate_of(make, judged) -> float:
    """The rate with the highest share right on validation requests."""
    return max(
        library.RATES,
        key=lambda lr: np.mean([library.right(make(lr, s), judged) for s in CHOSEN_BY]),
    )


def template_runs(base: GPT):
    """Two operations are left out of tuning, each once: what is done with them?"""
    variants = {
        "base, answer only": (base, True),
        "base, all tokens": (base, False),
        "base, all tokens, its own rate": (base, False),
        "blank, answer only": (None, True),
    }
    tuned_with = [tuple(o for o in KNOWN if o not in out) for out in library.SPLITS]
    same_rate = None  # of the first kind, for the one that differs in its loss alone
    for kind, (start, only) in variants.items():

        def make(lr, seed, operations=tuned_with[0], start=start, only=only):
            count = library.GIVEN["template"]
            return library.tuned(start, "everything", operations, lr, seed, count, only)

        judged = library.held_out_requests(tuned_with[0], validation=True)
        lr = same_rate if kind == "base, all tokens" else rate_of(make, judged)
        same_rate = same_rate or lr
        for out, operations in zip(library.SPLITS, tuned_with, strict=True):
            for seed in SEEDS:
                model = make(lr, seed, operations)
                seen = library.right(model, library.held_out_requests(operations))
                unseen = library.right(model, library.held_out_requests(out))
                size = sum(p.numel() for p in model.parameters())
                yield "template", kind, " ".join(out), seed, size, lr, seen, unseen


def rank_runs(base: GPT):
    """All operations are tuned, and a new one; a part of the weights is trained."""
    for kind in KINDS:

        def make(lr, seed, kind=kind):
            count = library.GIVEN["rank"]
            return library.tuned(base, kind, list(OPERATIONS), lr, seed, count)

        everything = list(OPERATIONS)
        lr = rate_of(make, library.held_out_requests(everything, validation=True))
        for seed in SEEDS:
            model = make(lr, seed)
            size = sum(p.numel() for p in library.trained(model))
            seen = library.right(model, library.held_out_requests(everything))
            yield "rank", kind, "", seed, size, lr, seen, math.nan


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("base", "tune"))
    if parser.parse_args().what == "base":
        started = time.perf_counter()
        model = pre_train()
        print("SHA-256", store_base(model), f"{time.perf_counter() - started:.0f} s")
        for name in KNOWN:
            share = library.right(
                model, library.held_out_requests([name]), library.as_worked, "."
            )
            print(f"{name:8} {share:.3f}")
        return
    base = library.load()
    with library.TABLE.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(library.Run._fields)
        for run in itertools.chain(template_runs(base), rank_runs(base)):
            row = [f"{v:.4g}" if isinstance(v, float) else v for v in run]
            writer.writerow(row)
            print(*row, flush=True)


if __name__ == "__main__":
    main()
