"""The sweep behind lecture 11's task in the prompt (course_lib/models/lookup.tsv).

    python benchmarks/lookup.py                 # all variants, seeds 0 to 4
    python benchmarks/lookup.py --seeds 0 --steps 2 --table /tmp/x.tsv

Every network sees 300 batches of 24 fresh pages. Judged are 200 new pages of either
task, the row after two examples.
"""

import argparse
import csv
import time
from pathlib import Path
from typing import Any

from course_lib.data.fruit_pages import COLOUR, FLAVOUR
from course_lib.models import lookup
from course_lib.models.lookup import Run

VARIANTS: dict[str, dict[str, Any]] = {
    "two layers": {"layers": 2},
    "one layer": {"layers": 1},
    "one layer, as many parameters": {"layers": 1, "d_ff": 292},
    "two layers, usual start": {"layers": 2, "lean": False},
}


def run(name: str, seed: int, **changed: Any) -> Run:
    """Train and test one network."""
    begun = time.process_time()
    model = lookup.train_reader(seed=seed, **VARIANTS[name], **changed)
    seconds = round(time.process_time() - begun, 1)
    parameters = sum(p.numel() for p in model.parameters())
    shares = (float(lookup.right(model, task)[2]) for task in (COLOUR, FLAVOUR))
    return Run(name, seed, parameters, seconds, *shares)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--steps", type=int, default=lookup.STEPS)
    parser.add_argument("--table", type=Path, default=lookup.TABLE)
    options = parser.parse_args(words)
    with options.table.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(Run._fields)
        for seed in options.seeds:
            for name in VARIANTS:
                row = run(name, seed, steps=options.steps)
                writer.writerow(row)
                file.flush()
                print(*row)


if __name__ == "__main__":
    main()
