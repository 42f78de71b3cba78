r"""n-grams, the first baseline: count which letter follows the last n - 1.

Most long contexts are rare, so counts of all orders are mixed. **Witten-Bell**
interpolation (1991) has no setting to tune: a context seen $C$ times, with $D$
different letters after it, trusts its own counts with weight $C / (C + D)$ and
asks the context that is one letter shorter for the rest.

$$p_n(y \mid \text{context}) = \frac{\#(\text{context}, y) + D\,
p_{n-1}(y \mid \text{shorter context})}{C + D}, \qquad p_0(y) = \frac{1}{V}$$

A run of letters is kept as one integer in base V, so counting is sorting.
"""

from dataclasses import dataclass

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
        self.runs, self.contexts, self.kinds = [], [], []
        for n in range(1, order + 1):
            keys, counts = np.unique(_runs(numbers, n, V), return_counts=True)
            self.runs.append(Table(keys, counts))
            # keys are sorted, so those of one context stand side by side
            contexts, first, kinds = np.unique(
                keys // V, return_index=True, return_counts=True
            )
            self.contexts.append(Table(contexts, np.add.reduceat(counts, first)))
            self.kinds.append(Table(contexts, kinds))

    def losses(self, numbers: Int[ndarray, " N"]) -> Float[ndarray, "order M"]:
        """-log p in nats by every order, for the letters from number `order` on.

        Row n - 1 is the model of order n: `losses(text).mean(axis=1)` are the nats per
        letter of all orders at once.
        """
        p, rows = np.array(1 / self.V), []
        for n in range(1, self.order + 1):
            runs = _runs(numbers, n, self.V)[self.order - n :]
            p = self._mixed(n, runs, p)
            rows.append(-np.log(p))
        return np.stack(rows)

    def following(self, context: Int[ndarray, " N"]) -> Float[ndarray, " V"]:
        """The probability of every letter after these."""
        context = np.asarray(context, dtype=np.int64)
        p = np.full(self.V, 1 / self.V)
        for n in range(1, min(self.order, len(context) + 1) + 1):
            key = _runs(context, n - 1, self.V)[-1] if n > 1 else 0
            p = self._mixed(n, key * self.V + np.arange(self.V), p)
        return p

    def _mixed(self, n: int, runs: ndarray, shorter: ndarray) -> ndarray:
        """p_n of the last letter of each run, given p_{n-1}."""
        here = self.runs[n - 1].look_up(runs)
        C = self.contexts[n - 1].look_up(runs // self.V)
        D = self.kinds[n - 1].look_up(runs // self.V)
        # a context never seen has C = D = 0 and passes the question on
        return np.where(C > 0, (here + D * shorter) / np.maximum(C + D, 1), shorter)


def _runs(numbers: Int[ndarray, " N"], n: int, V: int) -> Int[ndarray, " M"]:
    """Every run of n letters as one integer in base V."""
    count = len(numbers) - n + 1
    keys = np.zeros(count, dtype=np.int64)
    for k in range(n):
        keys = keys * V + numbers[k : k + count]
    return keys
