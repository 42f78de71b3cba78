r"""Linear recurrences in lecture 03's contest: where the eigenvalues start. Lecture 17.

    python -m course_lib.models.linear_start

trains ten networks of 24 units from each start on recall and writes linear_start.tsv,
one row for each entrant and length. The linear ones are diagonal and complex,

$$h_t = \lambda \odot h_{t-1} + \gamma \odot W_x x_t, \qquad
\lambda = e^{-e^{\nu} + i \theta}, \qquad \hat y = \text{Re}(W_y h_T) + b_y,$$

with the scale $\gamma = \sqrt{1 - |\lambda|^2}$ fixed at the start (Orvieto and others,
2023). The first two differ in how far from the origin the eigenvalues are drawn, and
with them in the scale; the third has the second's eigenvalues and no scale. The
LSTMs are torch's, from its own start and from two of lecture 04's.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Complex, Float
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy

from course_lib.data.tasks import recall
from course_lib.models.side_by_side import (
    Weights,
    clip_each,
    cross_entropies,
    recall_batches,
    uniform,
)
from course_lib.seeds import set_seed
from course_lib.train import train

TABLE = Path(__file__).with_suffix(".tsv")
NETWORKS, WIDTH, UPDATES, RATE = 10, 24, 300, 0.005  # as in lecture 03
LENGTHS = (40, 200)
UNSCALED = "near the circle, γ = 1"  # the ring alone, without the scale
RADII = {
    "anywhere in the disc": (0.0, 1.0),
    "near the circle": (0.99, 0.999),
    UNSCALED: (0.99, 0.999),
}
LSTMS = {  # biases of the forget and the input gates; None: as torch draws them
    "LSTM, torch's start": (None, None),
    "LSTM, forget gates open": (6.0, None),
    "LSTM, lecture 04's start": (6.0, -4.0),
}
LSTM_NETWORKS = {40: 10, 200: 5}  # by length


@dataclass(frozen=True)
class Row:
    """One entrant at one length: the accuracy of each network on 200 new sequences."""

    entrant: str
    length: int
    accuracies: tuple[float, ...]


def eigenvalues(
    radii: tuple[float, float], shape: tuple[int, ...], generator: Generator
) -> Complex[Tensor, "*shape"]:
    """Drawn evenly by area from a ring of the complex plane."""
    low, high = radii
    u = torch.rand(shape, generator=generator)
    radius = (low**2 + u * (high**2 - low**2)).sqrt().clamp(1e-4, 1 - 1e-4)
    return torch.polar(radius, 2 * torch.pi * torch.rand(shape, generator=generator))


def new_networks(
    radii: tuple[float, float], M: int, generator: Generator, d_x: int = 9, d_y: int = 4
) -> Weights:
    """M networks; all but the eigenvalues is drawn as in lecture 03."""
    lam = eigenvalues(radii, (M, WIDTH), generator)
    drawn = lambda *shape: uniform((M, *shape), WIDTH, generator)  # noqa: E731
    weights = {
        "nu": (-lam.abs().log()).log(),
        "theta": lam.angle(),
        "gamma": (1 - lam.abs() ** 2).sqrt(),
        "W_x": torch.complex(drawn(WIDTH, d_x), drawn(WIDTH, d_x)),
        "W_y": torch.complex(drawn(d_y, WIDTH), drawn(d_y, WIDTH)),
        "b_y": torch.zeros(M, 1, d_y),
    }
    fixed = weights.pop("gamma")
    return {n: w.requires_grad_() for n, w in weights.items()} | {"gamma": fixed}


def read(weights: Weights, x: Float[Tensor, "M B T d_x"]) -> Float[Tensor, "M B d_y"]:
    r"""$h_T = \sum_t \lambda^{T-t} \gamma W_x x_t$: the last point of a convolution."""
    M, B, T, d_x = x.shape
    log_lam = torch.complex(-weights["nu"].exp(), weights["theta"])
    ages = torch.arange(T - 1, -1, -1)
    kernel = (log_lam[..., None] * ages).exp()  # (M, d_h, T)
    by_time = x.permute(0, 2, 1, 3).reshape(M, T, B * d_x).to(kernel.dtype)
    summed = (kernel @ by_time).view(M, WIDTH, B, d_x)
    h = torch.einsum(
        "mhbx,mhx->mbh", summed, weights["gamma"][..., None] * weights["W_x"]
    )
    return (h @ weights["W_y"].mT).real + weights["b_y"]


def fit(weights: Weights, length: int, generator: Generator) -> None:
    """Lecture 03's training: Adam with its rate, 32 sequences each, clipped at 1."""
    learned = [w for w in weights.values() if w.requires_grad]
    draw = recall_batches(len(weights["nu"]), length, generator)
    optimiser = torch.optim.Adam(learned, lr=RATE)
    for _ in range(UPDATES):
        x, y_star = draw(32)
        optimiser.zero_grad()
        cross_entropies(read(weights, x), y_star).sum().backward()
        clip_each(learned, 1.0)
        optimiser.step()


def measure(entrant: str, length: int, networks: int = NETWORKS, seed: int = 0) -> Row:
    """Train the networks of one linear entrant side by side, and test them."""
    generator = torch.Generator().manual_seed(seed)
    weights = new_networks(RADII[entrant], networks, generator)
    if entrant == UNSCALED:
        weights["gamma"] = torch.ones_like(weights["gamma"])
    fit(weights, length, generator)
    x, y_star = recall_batches(networks, length, generator)(200)
    with torch.no_grad():
        right = (read(weights, x).argmax(2) == y_star).float().mean(1)
    return Row(entrant, length, tuple(right.tolist()))


def set_biases(lstm: nn.LSTM, forget: float | None, enter: float | None) -> None:
    """Torch adds two biases; each gets a half. Its order of gates: i, f, g, o."""
    d_h = lstm.hidden_size
    for name, parameter in lstm.named_parameters():
        if name.startswith("bias") and enter is not None:
            parameter.data[:d_h] = enter / 2
        if name.startswith("bias") and forget is not None:
            parameter.data[d_h : 2 * d_h] = forget / 2


def measure_lstm(entrant: str, length: int, networks: int = NETWORKS) -> Row:
    """The LSTMs one after another, on the same training."""
    right = []
    for seed in range(networks):
        torch.manual_seed(seed)
        lstm, out = nn.LSTM(9, WIDTH, batch_first=True), nn.Linear(WIDTH, 4)
        set_biases(lstm, *LSTMS[entrant])
        generator = torch.Generator().manual_seed(seed)
        run = lambda x, lstm=lstm, out=out: out(lstm(x)[0][:, -1])  # noqa: E731

        def loss(step: int, run=run, generator=generator) -> Tensor:
            x, y_star = recall(generator, 32, gap=length - 2)
            return cross_entropy(run(x), y_star)

        train([*lstm.parameters(), *out.parameters()], loss, UPDATES, RATE, 1.0)
        x, y_star = recall(generator, 200, gap=length - 2)
        with torch.no_grad():
            right.append((run(x).argmax(1) == y_star).float().mean().item())
    return Row(entrant, length, tuple(right))


def stored() -> list[Row]:
    """The rows of the table, as they were measured."""
    with TABLE.open(encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [Row(name, int(T), tuple(map(float, right))) for name, T, *right in rows]


def main() -> None:
    """Train all, and write the table after each entrant."""
    set_seed(0)
    rows = [measure(name, T) for name in RADII for T in LENGTHS]
    _write(rows)
    for T, count in LSTM_NETWORKS.items():
        for name in LSTMS:
            rows.append(measure_lstm(name, T, count))
            _write(rows)


def _write(rows: list[Row]) -> None:
    with TABLE.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(["entrant", "length", *(f"{n + 1}" for n in range(NETWORKS))])
        for row in rows:
            right = (f"{a:.3f}" for a in row.accuracies)
            writer.writerow([row.entrant, row.length, *right])


if __name__ == "__main__":
    main()
