"""Language models: perplexity, indices."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)

import torch
import torch.nn.functional as F

from course_lib.errata.evidence import (
    attempt,
    decide,
    numbers,
)


def perplexity_is_a_number_of_choices() -> str:
    """E22: exp(mean loss) = 1 / geometric mean of the probabilities of the targets."""
    logits = numbers(1, 6, 10)
    loss = F.cross_entropy(logits, torch.arange(6))
    p = logits.softmax(dim=1)[range(6), range(6)].numpy()
    mean, truth = p.prod() ** (1 / 6), loss.exp().item()
    drawn = decide("random scores", truth, mean, 1 / mean)
    evenly = F.cross_entropy(torch.zeros(1, 10), torch.tensor([3])).exp().item()
    ten = decide("ten equal choices", evenly, 1 / 10, 10, bound=1e-4)
    return f"{ten} | {drawn}"


def indices_end_at_v_minus_one() -> str:
    """E23: V words have the indices 0, ..., V - 1."""
    V = 5
    score = lambda k: F.cross_entropy(torch.zeros(1, V), torch.tensor([k]))
    accepted = [
        not isinstance(attempt(lambda k=k: score(k)), Exception) for k in range(9)
    ]
    printed, holds = len(range(V + 1)), len(range(V))
    return decide("indices torch accepts", sum(accepted), printed, holds, bound=0)
