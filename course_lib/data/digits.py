r"""Real handwritten digits: 1,797 pictures of 8 x 8 pixels.

Data: `digits.csv.gz` of the package scikit-learn, a copy of the test set of *Optical
recognition of handwritten digits* by E. Alpaydin and C. Kaynak (UCI Machine Learning
Repository, 1998), CC BY 4.0.

Thirteen people wrote them on forms; every pixel counts the ink in 4 x 4 pixels of the
scan, 0 to 16, here divided by 16. The split is drawn at random, so the hand of a writer
may be on both sides of it. Introduced in lecture 14.
"""

import gzip
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from torch import Tensor

from course_lib.data.installed import folder

SIZE = 8  # pixels on a side
LEVELS = 16  # of ink


@dataclass(frozen=True)
class Digits:
    """Pictures (count, 8, 8) in 0..1, float32, and their labels 0..9 (count,)."""

    images: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)


def load(seed: int = 0, test: int = 450) -> tuple[Digits, Digits]:
    """Digits to learn from and `test` digits kept back, split with this seed."""
    rows = _rows()
    if not 0 < test < len(rows):
        raise ValueError(
            f"test = {test} of {len(rows)} digits: both parts need at least one"
        )
    order = np.random.default_rng(seed).permutation(len(rows))
    return _digits(rows[order[test:]]), _digits(rows[order[:test]])


def _digits(rows: np.ndarray) -> Digits:
    images = torch.from_numpy(rows[:, :-1].reshape(-1, SIZE, SIZE) / LEVELS).float()
    return Digits(images, torch.from_numpy(rows[:, -1].astype(np.int64)))


@cache
def _rows() -> np.ndarray:
    """One row per digit: 64 pixels, then the label."""
    where = folder("sklearn", "datasets/data", "the handwritten digits")
    with gzip.open(where / "digits.csv.gz", "rt", encoding="utf8") as file:
        return np.loadtxt(file, delimiter=",")
