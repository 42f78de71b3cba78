"""Sets: learned queries."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
import torch

from course_lib.errata.evidence import decide, numbers
from course_lib.models.attention import attention


def learned_queries_pool_a_set() -> str:
    """E79: queries that are parameters give an output of fixed size and no order."""
    x, learned, order = numbers(16, 7, 4), numbers(17, 2, 4), torch.arange(6, -1, -1)
    pooled = lambda rows: attention(learned, rows, rows).output
    self_attended = lambda rows: attention(rows, rows, rows).output
    change = lambda f: (f(x[order]) - f(x)).abs().max().item()
    names = ("self-attention", "learned queries")
    kept, moved = change(pooled), change(self_attended)
    settled = decide("change under a shuffle", 0.0, moved, kept, names=names)
    return f"{settled}; rows out: 7 and 2"
