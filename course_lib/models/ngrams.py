r"""n-grams, the first baseline: count which letter follows the last n - 1.

Most long contexts are rare, so counts of all orders are mixed. **Witten-Bell**
interpolation (1991) has no setting to tune: a context seen $C$ times, with $D$
different letters after it, trusts its own counts with weight $C / (C + D)$ and
asks the context that is one letter shorter for the rest.

$$p_n(y \mid \text{context}) = \frac{\#(\text{context}, y) + D\,
p_{n-1}(y \mid \text{shorter context})}{C + D}, \qquad p_0(y) = \frac{1}{V}$$

**Kneser-Ney** interpolation (1995) is the rule an expert asks for first. It takes a
constant $\delta$ off every count, gives what was taken to the shorter context, and
counts there how many *different* letters stood before a run, instead of how often the
run occurred:

$$p_n(y \mid \text{context}) = \frac{\max(\#(\text{context}, y) - \delta, 0) +
\delta D\, p'_{n-1}(y \mid \text{shorter context})}{C}$$

A run of letters is kept as one integer in base V, so counting is sorting.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray


@dataclass(frozen=True)
class Table:
    """Integer keys, sorted, and a count for each."""

    keys: Int[ndarray, " K"]
    counts: Int[ndarray, " K"]

    def look_up(self, keys: Int[ndarray, "..."]) -> Int[ndarray, "..."]:
        """The counts of these keys; 0 for a key never seen."""
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, self.counts[place], 0)


class Level:
    """Runs of one length: how often each occurs, and what is known of its context."""

    def __init__(
        self, keys: Int[ndarray, " K"], counts: Int[ndarray, " K"], V: int
    ) -> None:
        self.V, self.runs = V, Table(keys, counts)
        # keys are sorted, so those of one context stand side by side
        contexts, first, kinds = np.unique(
            keys // V, return_index=True, return_counts=True
        )
        self.totals = Table(contexts, np.add.reduceat(counts, first))
        self.kinds = Table(contexts, kinds)

    def look_up(self, runs: ndarray) -> tuple[ndarray, ndarray, ndarray]:
        """The run's count, its context's total C, and the kinds D that followed it."""
        contexts = runs // self.V
        found = self.totals.look_up(contexts), self.kinds.look_up(contexts)
        return self.runs.look_up(runs), *found

    def witten_bell(self, runs: ndarray, shorter: ndarray) -> ndarray:
        """p of the last letter of each run, given p of the shorter context."""
        here, C, D = self.look_up(runs)
        # a context never seen has C = D = 0 and passes the question on
        return np.where(C > 0, (here + D * shorter) / np.maximum(C + D, 1), shorter)

    def kneser_ney(self, runs: ndarray, shorter: ndarray) -> ndarray:
        """The same by the other rule."""
        here, C, D = self.look_up(runs)
        kept = np.maximum(here - self.discount, 0) + self.discount * D * shorter
        return np.where(C > 0, kept / np.maximum(C, 1), shorter)

    @cached_property
    def discount(self) -> float:
        """Ney's estimate, from the runs seen once and twice; a half where none are."""
        once, twice = ((self.runs.counts == times).sum() for times in (1, 2))
        return float(once / (once + 2 * twice)) if once and twice else 0.5


class NGrams:
    """Counts of all runs of up to `order` letters out of a vocabulary of V."""

    def __init__(self, numbers: Int[ndarray, " N"], order: int, V: int) -> None:
        if order < 1 or V**order >= 2**63:
            raise ValueError(
                f"order {order} with {V} letters: V**order must be < 2**63"
            )
        if len(numbers) < order:
            raise ValueError(f"{len(numbers)} letters hold no run of {order}")
        self.order, self.V = order, V
        self.levels = [
            Level(*np.unique(_runs(numbers, n, V), return_counts=True), V)
            for n in range(1, order + 1)
        ]

    def losses(self, numbers: Int[ndarray, " N"]) -> Float[ndarray, "order M"]:
        """-log p in nats by every order, for the letters from number `order` on.

        Row n - 1 is the model of order n: `losses(text).mean(axis=1)` are the nats per
        letter of all orders at once.
        """
        p, rows = np.array(1 / self.V), []
        for n in range(1, self.order + 1):
            runs = _runs(numbers, n, self.V)[self.order - n :]
            p = self.levels[n - 1].witten_bell(runs, p)
            rows.append(-np.log(p))
        return np.stack(rows)

    def following(self, context: Int[ndarray, " N"]) -> Float[ndarray, " V"]:
        """The probability of every letter after these."""
        context = np.asarray(context, dtype=np.int64)
        p = np.full(self.V, 1 / self.V)
        for n in range(1, min(self.order, len(context) + 1) + 1):
            key = _runs(context, n - 1, self.V)[-1] if n > 1 else 0
            runs = key * self.V + np.arange(self.V)
            p = self.levels[n - 1].witten_bell(runs, p)
        return p


class KneserNey:
    """The same counts, mixed by the rule of Kneser and Ney."""

    def __init__(self, counted: NGrams) -> None:
        self.order, self.V, self.whole = counted.order, counted.V, counted.levels
        # a shorter run counts once for every different letter that stood before it
        self.shorter = [
            Level(*np.unique(longer.runs.keys % self.V**n, return_counts=True), self.V)
            for n, longer in enumerate(self.whole[1:], start=1)
        ]

    def losses(self, numbers: Int[ndarray, " N"]) -> Float[ndarray, "order M"]:
        """-log p in nats by every order, as `NGrams.losses`."""
        p, rows = np.array(1 / self.V), []
        for n in range(1, self.order + 1):
            runs = _runs(numbers, n, self.V)[self.order - n :]
            rows.append(-np.log(self.whole[n - 1].kneser_ney(runs, p)))
            if n < self.order:
                p = self.shorter[n - 1].kneser_ney(runs, p)
        return np.stack(rows)

    def following(self, context: Int[ndarray, " N"]) -> Float[ndarray, " V"]:
        """The probability of every letter after these."""
        context = np.asarray(context, dtype=np.int64)
        p, top = np.full(self.V, 1 / self.V), min(self.order, len(context) + 1)
        for n in range(1, top + 1):
            key = _runs(context, n - 1, self.V)[-1] if n > 1 else 0
            level = self.whole[n - 1] if n == top else self.shorter[n - 1]
            p = level.kneser_ney(key * self.V + np.arange(self.V), p)
        return p


def _runs(numbers: Int[ndarray, " N"], n: int, V: int) -> Int[ndarray, " M"]:
    """Every run of n letters as one integer in base V."""
    count = len(numbers) - n + 1
    keys = np.zeros(count, dtype=np.int64)
    for k in range(n):
        keys = keys * V + numbers[k : k + count]
    return keys
