"""Exercises of lecture 14: pooling, what a bridge costs, kernels as attention."""

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.models.sets import ISAB
from course_lib.train import one_cycle, train


def masked_mean(x: np.ndarray, n: int) -> np.ndarray:
    """Only the real rows, divided by their number; an empty set gives zeros."""
    return x[:n].sum(axis=0) / max(n, 1)


def padded_set(rng: Generator) -> tuple:
    """An empty set, or three rows: of fewer the median would be the mean as well."""
    x = rng.integers(-9, 10, (5, 2)).astype(float)  # small enough to be shown whole
    return x, int(rng.choice([0, 3]))


MEAN_MISTAKES = {
    "You divided by the padded length; divide by the number of real rows.": (
        lambda x, n: x[:n].sum(axis=0) / len(x)
    ),
    "The padding was added up, too: only the first n rows are real.": (
        lambda x, n: x.sum(axis=0) / max(n, 1)
    ),
    "That is the mean of all rows, padding included.": lambda x, n: x.mean(axis=0),
    "That is the sum; divide by the number of real rows.": (
        lambda x, n: x[:n].sum(axis=0)
    ),
    "That is one mean over all numbers; each column has its own.": (
        lambda x, n: x[:n].sum() / max(n, 1)
    ),
    "n is how many rows are real, not the last of them: rows 0 to n − 1.": (
        lambda x, n: x[: n + 1].mean(axis=0)
    ),
    "0/0 is nan: give an empty set the mean zero.": (
        lambda x, n: masked_mean(x, n) if n else np.full(x.shape[1], np.nan)
    ),
}


def pool_by_query(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Scores, softmax over the elements, weighted mean."""
    scores = x @ q / np.sqrt(len(q))
    weights = np.exp(scores) / np.exp(scores).sum()
    return weights @ x


def query_and_set(rng: Generator) -> tuple:
    """Five elements: were there d², √N and d would be the same number."""
    return rng.standard_normal(2).round(1), (2 * rng.standard_normal((5, 2))).round(1)


def _pooled(q: np.ndarray, x: np.ndarray, scale: float, axis: int = 0) -> np.ndarray:
    scores = np.exp(x @ q * scale)
    return scores / scores.sum(axis=axis) @ x


QUERY_MISTAKES = {
    "The division by √d is missing.": lambda q, x: _pooled(q, x, 1.0),
    "You divided by d; the scale is √d.": lambda q, x: _pooled(q, x, 1 / len(q)),
    "You multiplied by √d; divide.": lambda q, x: _pooled(q, x, len(q) ** 0.5),
    "You divided by √N; d is the width of an element, not their number.": (
        lambda q, x: _pooled(q, x, len(x) ** -0.5)
    ),
    "exp is there, the division by the sum is missing.": (
        lambda q, x: np.exp(x @ q / np.sqrt(len(q))) @ x
    ),
    "These are the raw scores; the softmax is missing.": (
        lambda q, x: (x @ q / np.sqrt(len(q))) @ x
    ),
    "These are the weights; read the set with them.": (
        lambda q, x: np.exp(x @ q / np.sqrt(2)) / np.exp(x @ q / np.sqrt(2)).sum()
    ),
    "That is the element with the largest score; a softmax is soft.": (
        lambda q, x: x[(x @ q).argmax()]
    ),
    "That is the plain mean: the query is not used.": lambda q, x: x.mean(axis=0),
}


def break_even(M: int, d: int) -> int:
    """The difference of the two counts is 2d (N² − 2MN − 4Md): try N = 1, 2, 3, …"""
    N = 1
    while 8 * (N + M) * d**2 + 4 * N * M * d >= 8 * N * d**2 + 2 * N**2 * d:
        N += 1
    return N


def bridge_sizes(rng: Generator) -> tuple:
    """With d = 2M both are level at N = 4M, where rounding up does not do."""
    M = int(rng.integers(2, 20))
    return M, 2 * M if rng.random() < 0.3 else int(rng.integers(2, 20))


BREAK_EVEN_MISTAKES = {
    "That counts the scores alone, 2NM < N²; the M extra rows cost, too.": (
        lambda M, d: 2 * M + 1
    ),
    "That is 2M; solve the inequality with all terms of (5).": lambda M, d: 2 * M,
    "There ISAB is still the dearer one, or just as dear; one more.": (
        lambda M, d: break_even(M, d) - 1
    ),
    "That is N > M: but ISAB has two halves.": lambda M, d: M + 1,
    "M and d have changed places: M is the number of inducing points.": (
        lambda M, d: break_even(d, M)
    ),
    "Where the root is a whole number both are level there: one more.": (
        lambda M, d: int(np.ceil(M + np.sqrt(M * M + 4 * M * d)))
    ),
    "The root is right; the answer is the next whole number above it.": (
        lambda M, d: M + np.sqrt(M * M + 4 * M * d)
    ),
}


class Bridge(nn.Module):
    """ISAB with M = 4 between two linear maps: points (B, N, 2) -> (B, N, 2)."""

    def __init__(self) -> None:
        super().__init__()
        self.embed, self.out = nn.Linear(2, 32), nn.Linear(32, 2)
        self.isab = ISAB(32, heads=1, inducing=4)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.isab(self.embed(x)).output)


def sets_of_clusters(count: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
    """The sets of section 4: 24 points, and the mean of each one's cluster."""
    corners = torch.tensor([[-2.0, -2], [2, -2], [-2, 2], [2, 2]])
    centres = corners + 0.6 * torch.randn(count, 4, 2, generator=draw)
    member = F.one_hot(torch.randint(4, (count, 24), generator=draw), 4).float()
    x = member @ centres + 0.5 * torch.randn(count, 24, 2, generator=draw)
    sizes = member.sum(dim=1)[:, :, None].clamp(min=1)
    return x, member @ (member.mT @ x / sizes)


def frozen_or_not(
    seeds: int = 3, steps: int = 300, lr: float = 4e-3
) -> dict[str, list[float]]:
    """The error of three kinds of inducing points, for each seed.

    learned    as in the lecture
    frozen     the four points stay at their random start; all else is learned
    all equal  the four points start at one value and are frozen: a control

    Findings, 3 seeds: learned 0.126, 0.058, 0.064; frozen 0.127, 0.059, 0.068; all
    equal 0.146, 0.145, 0.153, about the error of a single point. Freezing changes
    hardly anything, because what asks is W_q I, and W_q is learned, as are W_k and the
    embedding: four different rows in 32 dimensions can be sent to any four questions.
    What matters is that the rows differ. So the experiment does not say that learned
    questions are useless; it says that they can be learned in another place.
    """
    errors: dict[str, list[float]] = {}
    for name in ("learned", "frozen", "all equal"):
        for seed in range(seeds):
            torch.manual_seed(seed)
            model, draw = Bridge(), torch.Generator().manual_seed(seed)
            if name != "learned":
                model.isab.points.requires_grad_(False)
            if name == "all equal":
                model.isab.points[:] = model.isab.points[0].clone()
            learned = [p for p in model.parameters() if p.requires_grad]

            def loss(_step: int, model=model, draw=draw) -> Tensor:
                x, right = sets_of_clusters(16, draw)
                return F.mse_loss(model(x), right)

            train(learned, loss, steps, lr, schedule=one_cycle)
            x, right = sets_of_clusters(500, torch.Generator().manual_seed(99))
            with torch.no_grad():
                error = F.mse_loss(model(x), right).item()
            errors.setdefault(name, []).append(error)
    return errors


def kernel_weights(x: float, x_known: np.ndarray, ell: float) -> np.ndarray:
    """A softmax of minus the squared distances over 2 ell²."""
    kernel = np.exp(-((x - x_known) ** 2) / (2 * ell**2))
    return kernel / kernel.sum()


def kernel_arguments(rng: Generator) -> tuple:
    x, ell = rng.uniform((-1, 0.4), (1, 0.9)).round(1)
    return float(x), np.sort(rng.uniform(-2, 2, 4)).round(1), float(ell)


def _share(kernel: np.ndarray) -> np.ndarray:
    return kernel / kernel.sum()


KERNEL_MISTAKES = {
    "They must add up to 1: divide by their sum.": (
        lambda x, x_known, ell: np.exp(-((x - x_known) ** 2) / (2 * ell**2))
    ),
    "The 2 in 2ℓ² is missing.": (
        lambda x, x_known, ell: _share(np.exp(-((x - x_known) ** 2) / ell**2))
    ),
    "ℓ must be squared, like the distance that it measures.": (
        lambda x, x_known, ell: _share(np.exp(-((x - x_known) ** 2) / (2 * ell)))
    ),
    "The distance must be squared.": (
        lambda x, x_known, ell: _share(np.exp(-abs(x - x_known) / (2 * ell**2)))
    ),
    "The sign is wrong: far points get most of the weight.": (
        lambda x, x_known, ell: _share(np.exp((x - x_known) ** 2 / (2 * ell**2)))
    ),
    "These are the scores; the softmax is missing.": (
        lambda x, x_known, ell: -((x - x_known) ** 2) / (2 * ell**2)
    ),
    "The dot product x·x_i is not all: the key has −x_i²/2 as its second entry.": (
        lambda x, x_known, ell: _share(np.exp(x * x_known / ell**2))
    ),
}


EXERCISES = Exercises(
    "sets",
    Exercise(1, "*", masked_mean, padded_set, MEAN_MISTAKES),
    Exercise(2, "*", pool_by_query, query_and_set, QUERY_MISTAKES),
    Exercise(3, "**", break_even, bridge_sizes, BREAK_EVEN_MISTAKES),
    Exercise(4, "***", frozen_or_not, helpers=(Bridge, sets_of_clusters)),
    Exercise(5, "*", kernel_weights, kernel_arguments, KERNEL_MISTAKES),
)
check, solution = EXERCISES.check, EXERCISES.solution
