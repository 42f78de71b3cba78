"""How the spectral radius at the start decides what lecture 03's networks learn.

    python -m course_lib.models.radius_sweep

trains 20 tanh networks of 24 units from a Gaussian matrix of each radius in RADII on
recall at length 30 and writes radius_sweep.tsv, one row for each radius with the
accuracies of its networks. A minute on one thread. Radii do not meet: each has a
generator of its own, so that one radius alone gives the same row again.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.models.side_by_side import accuracies, fit, new_networks, recall_batches
from course_lib.seeds import set_seed

TABLE = Path(__file__).with_suffix(".tsv")
RADII = (0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0)
NETWORKS, WIDTH, LENGTH, UPDATES = 20, 24, 30, 250


@dataclass(frozen=True)
class Row:
    """One radius: the accuracy of each network on 200 new sequences."""

    radius: float
    accuracies: tuple[float, ...]


def gaussian_start(
    radius: float, networks: int, generator: torch.Generator, d_h: int = WIDTH
) -> Float[Tensor, "M d_h d_h"]:
    """Gaussian matrices, each scaled to the spectral radius."""
    W_h = torch.randn((networks, d_h, d_h), generator=generator)
    return W_h * (radius / torch.linalg.eigvals(W_h).abs().amax(1))[:, None, None]


def measure(radius: float, networks: int = NETWORKS, seed: int = 0) -> Row:
    """Train networks from this radius; clipped at 1, Adam with the rate 0.005."""
    generator = torch.Generator().manual_seed(seed)
    W_h = gaussian_start(radius, networks, generator)
    nets = new_networks(W_h, generator)
    batches = recall_batches(networks, LENGTH, generator)
    fit(nets, batches, clip=1.0, steps=UPDATES)
    return Row(radius, tuple(accuracies(nets, batches).tolist()))


def stored() -> list[Row]:
    """The rows of the table, as they were measured."""
    with TABLE.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [Row(float(radius), tuple(map(float, right))) for radius, *right in rows]


def main() -> None:
    """Train all, and write the table."""
    set_seed(0)
    rows = [measure(radius) for radius in RADII]
    with TABLE.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(["radius", *(f"network {n + 1}" for n in range(NETWORKS))])
        for row in rows:
            writer.writerow([row.radius, *(f"{a:.3f}" for a in row.accuracies)])


if __name__ == "__main__":
    main()
