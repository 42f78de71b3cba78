"""Exercises of lecture 12b: from a language model to an assistant."""

import numpy as np
import torch
import torch.nn.functional as F
from numpy import ndarray
from numpy.random import Generator
from torch import Tensor

from course_lib.exercises.exercise import Exercise, Exercises


def counted(tokens: list[int], assistant: int, end: int) -> list[bool]:
    """True after <assistant>, up to and with <end>; each turn of a longer chat."""
    inside, found = False, []
    for token in tokens:
        found.append(inside)
        if token == assistant:
            inside = True
        if token == end:
            inside = False
    return found


def chats(rng: Generator) -> tuple:
    """One or two turns: 1 <user>, 2 <assistant>, 3 <end>, then letters, 0 padding."""
    tokens: list[int] = []
    for _ in range(int(rng.integers(1, 3))):
        asked, said = (rng.integers(5, 12, size=rng.integers(2, 4)) for _ in "ab")
        tokens += [1, *map(int, asked), 2, *map(int, said), 3]
    return [*tokens, 0, 0], 2, 3


def _count_all_after(tokens: list[int], assistant: int, end: int) -> list[bool]:
    first = tokens.index(assistant)
    return [n > first for n in range(len(tokens))]


COUNTED_MISTAKES = {
    "By one too early: <assistant> is given, and <end> is the last to count.": (
        lambda tokens, assistant, end: [*counted(tokens, assistant, end)[1:], False]
    ),
    "<end> counts too: a model that never learns it never stops.": (
        lambda tokens, assistant, end: [
            yes and token != end
            for yes, token in zip(counted(tokens, assistant, end), tokens, strict=True)
        ]
    ),
    "<assistant> itself is given by the template, not written by the model.": (
        lambda tokens, assistant, end: [
            yes or token == assistant
            for yes, token in zip(counted(tokens, assistant, end), tokens, strict=True)
        ]
    ),
    "After <end> come padding or the next question: they do not count.": (
        _count_all_after
    ),
    "The user's words look like the answer's: what matters is where they stand.": (
        lambda tokens, assistant, end: [
            token not in (0, 1, assistant, end) for token in tokens
        ]
    ),
    "A chat may have several turns, and the later answers count as well.": (
        lambda tokens, assistant, end: [
            tokens.index(assistant) < n <= tokens.index(end) for n in range(len(tokens))
        ]
    ),
    "It is the other way round: the question is given, the answer counts.": (
        lambda tokens, assistant, end: [
            not yes for yes in counted(tokens, assistant, end)
        ]
    ),
}


def low_rank_parameters(shapes: list[tuple[int, int]], rank: int) -> int:
    """B has d_out r numbers, A has r d_in."""
    return sum(rank * (d_out + d_in) for d_out, d_in in shapes)


def shapes_and_rank(rng: Generator) -> tuple:
    count = int(rng.integers(2, 5))
    shapes = [tuple(int(n) for n in rng.integers(11, 90, size=2)) for _ in range(count)]
    return shapes, int(rng.integers(2, 8))


PARAMETER_MISTAKES = {
    "That is the size of the product B A; only B and A themselves are trained.": (
        lambda shapes, rank: sum(a * b for a, b in shapes)
    ),
    "B has d_out r numbers and A has r d_in: both count.": (
        lambda shapes, rank: sum(rank * a for a, _ in shapes)
    ),
    "The rank is missing: B and A are r columns and r rows.": (
        lambda shapes, rank: sum(a + b for a, b in shapes)
    ),
    "Every matrix of the list gets a B and an A of its own.": (
        lambda shapes, rank: low_rank_parameters(shapes[:1], rank)
    ),
    "A has r d_in numbers and B has d_out r: both count.": (
        lambda shapes, rank: sum(rank * b for _, b in shapes)
    ),
    "Both of yours have d_out numbers for each rank; A has d_in.": (
        lambda shapes, rank: sum(2 * rank * a for a, _ in shapes)
    ),
    "d_out and d_in are added, not multiplied: B and A stand apart.": (
        lambda shapes, rank: sum(rank * a * b for a, b in shapes)
    ),
    "The frozen W is not trained: it does not count.": (
        lambda shapes, rank: (
            low_rank_parameters(shapes, rank) + sum(a * b for a, b in shapes)
        )
    ),
}


def best_low_rank(change: ndarray, rank: int) -> tuple[ndarray, ndarray]:
    """Eckart and Young: keep the largest singular values, in B or in A."""
    u, s, vt = np.linalg.svd(change, full_matrices=False)
    return u[:, :rank] * s[:rank], vt[:rank]


def change_and_rank(rng: Generator) -> tuple:
    d_out, d_in = (int(n) for n in rng.choice([3, 5, 7], size=2, replace=False))
    return rng.normal(size=(d_out, d_in)).round(1), int(rng.integers(1, 3))


def low_rank_fault(got: tuple, change: ndarray, rank: int) -> str:
    """B and A are not unique; their shapes and the size of the error are."""
    if not isinstance(got, tuple | list) or len(got) != 2:
        return "Return two matrices, B and A."
    B, A = (np.asarray(part, dtype=float) for part in got)
    wanted = ((change.shape[0], rank), (rank, change.shape[1]))
    if (A.T.shape, B.T.shape) == wanted:
        return "These are the transposed matrices: B and A have changed places."
    if (B.shape, A.shape) != wanted:
        shapes = f"B {B.shape}, A {A.shape}, expected {wanted[0]} and {wanted[1]}"
        return f"The shapes are wrong: {shapes}."
    s = np.linalg.svd(change, compute_uv=False)
    least, error = np.sqrt((s[rank:] ** 2).sum()), np.linalg.norm(change - B @ A)
    if error <= least + 1e-6:
        return ""
    u, _, vt = np.linalg.svd(change, full_matrices=False)
    if np.allclose(B @ A, u[:, :rank] @ vt[:rank]):
        return "The singular values themselves are missing from the product."
    if np.allclose(B @ A, (u[:, :rank] * s[:rank] ** 2) @ vt[:rank]):
        return (
            "The singular values are in B and in A; they belong into the product once."
        )
    if np.allclose(B @ A, (u[:, -rank:] * s[-rank:]) @ vt[-rank:]):
        return "You kept the smallest singular values; they come largest first."
    return f"|change - B A| is {error:.3f}; rank {rank} can do {least:.3f}."


def dpo_loss(
    chosen: Tensor,
    refused: Tensor,
    ref_chosen: Tensor,
    ref_refused: Tensor,
    beta: float,
) -> Tensor:
    """The margin is the difference of two implicit rewards, beta log(pi / pi_ref)."""
    margin = beta * ((chosen - ref_chosen) - (refused - ref_refused))
    return -F.logsigmoid(margin).mean()


def log_probabilities(rng: Generator) -> tuple:
    four = (torch.tensor(rng.uniform(-5, -0.5, size=5).round(2)) for _ in range(4))
    return *four, float(rng.choice([0.1, 0.3, 0.5]))


DPO_MISTAKES = {
    "The reference is missing: a reward is beta log(pi / pi_ref).": (
        lambda c, r, rc, rr, beta: -F.logsigmoid(beta * (c - r)).mean()
    ),
    "The log-probabilities of the reference are subtracted, each from those of its own "
    "answer; yours have the other sign, or have changed places.": (
        lambda c, r, rc, rr, beta: dpo_loss(c, r, -rc, -rr, beta)
    ),
    "The sign is turned round: the chosen answer must gain.": (
        lambda c, r, rc, rr, beta: dpo_loss(r, c, rr, rc, beta)
    ),
    "The refused log-ratio is subtracted from the chosen one, not added.": (
        lambda c, r, rc, rr, beta: -F.logsigmoid(beta * (c - rc + r - rr)).mean()
    ),
    "beta multiplies both log-ratios.": (
        lambda c, r, rc, rr, beta: -F.logsigmoid(beta * (c - rc) - (r - rr)).mean()
    ),
    "The logarithm is the natural one.": (
        lambda c, r, rc, rr, beta: dpo_loss(c, r, rc, rr, beta) / np.log(2)
    ),
    "One sigmoid, of the difference; not one for each log-ratio.": (
        lambda c, r, rc, rr, beta: (
            F.logsigmoid(beta * (r - rr)) - F.logsigmoid(beta * (c - rc))
        ).mean()
    ),
    "beta is missing.": lambda c, r, rc, rr, beta: dpo_loss(c, r, rc, rr, 1.0),
    "beta multiplies the log-ratio, it does not divide it.": (
        lambda c, r, rc, rr, beta: dpo_loss(c, r, rc, rr, 1 / beta)
    ),
    "The loss is -log sigmoid of the margin; the logarithm is missing.": (
        lambda c, r, rc, rr, beta: -torch.sigmoid(beta * ((c - rc) - (r - rr))).mean()
    ),
    "The minus is missing: a loss is to become small, and this is a likelihood.": (
        lambda c, r, rc, rr, beta: -dpo_loss(c, r, rc, rr, beta)
    ),
    "The margin is of log-probabilities; they are not exponentiated.": (
        lambda c, r, rc, rr, beta: (
            -F.logsigmoid(beta * ((c - rc).exp() - (r - rr).exp())).mean()
        )
    ),
    "One number: the mean over the pairs.": (
        lambda c, r, rc, rr, beta: -F.logsigmoid(beta * ((c - rc) - (r - rr)))
    ),
    "Take the mean over the pairs, not the sum.": (
        lambda c, r, rc, rr, beta: len(c) * dpo_loss(c, r, rc, rr, beta)
    ),
    "Mean of the losses of the pairs, not the loss of the mean margin.": (
        lambda c, r, rc, rr, beta: -F.logsigmoid((beta * ((c - rc) - (r - rr))).mean())
    ),
}


def best_of(ref: Tensor, proxy: Tensor, n: int) -> Tensor:
    """The exact distribution of the answer with the highest proxy among n drawn.

    In order of the proxy, the best of n is among the first k with probability F_k^n.
    """
    order = proxy.argsort()
    below = ref[order].cumsum(dim=0).clamp(max=1.0)
    shares = (below**n).diff(prepend=torch.zeros(1, dtype=ref.dtype))
    found = torch.zeros_like(ref)
    found[order] = shares
    return found


def best_of_n_over_optimises(
    ref: Tensor, true: Tensor, proxies: list[Tensor], numbers: tuple = (1, 4, 64, 4096)
) -> dict[int, list[float]]:
    """No training at all: draw n answers, keep the one the proxy likes best.

    The pressure is n instead of 1/beta. All answers can be listed, so the distribution
    is exact. Ties of the proxy are broken by the order of the list. The control is the
    same with the proxy that has the square, from the same comparisons.

    Found for the ten draws of section 4, mean true reward with the linear proxy:
    n = 1: 1.38 in all; n = 4: 2.09 to 2.12; n = 64: 0.56 to 2.03, below the reference
    in 2 of 10; n = 4096: -6.67 to -0.83, below it in 10 of 10.
    With the square, n = 4096: 3.39 to 4.23, above the reference in 10 of 10. So it is
    the pressure on a wrong proxy that does it, not the way of training. And n = 4 was
    better than the reference in all ten: little pressure needs no better proxy.
    """
    return {
        n: [float(best_of(ref, proxy, n) @ true) for proxy in proxies] for n in numbers
    }


def rounded_in_groups(W: ndarray, bits: int, size: int) -> ndarray:
    """Each run of `size` weights has a scale of its own: its largest becomes `top`."""
    top = 2 ** (bits - 1) - 1
    groups = W.reshape(-1, size)
    scale = np.abs(groups).max(axis=1, keepdims=True) / top
    return (np.round(groups / scale) * scale).reshape(W.shape)


def matrix_and_groups(rng: Generator) -> tuple:
    rows, size = int(rng.integers(2, 4)), int(rng.choice([3, 4]))
    spread = rng.uniform(0.2, 3.0, size=(rows, 1))
    W = (spread * rng.normal(size=(rows, 2 * size))).round(2)
    return W + 0.005, int(rng.choice([3, 4])), size


def _whole(W: ndarray, bits: int, size: int) -> ndarray:
    return rounded_in_groups(W.reshape(1, -1), bits, W.size).reshape(W.shape)


def _unsigned(W: ndarray, bits: int, size: int) -> ndarray:
    groups = W.reshape(-1, size)
    scale = np.abs(groups).max(axis=1, keepdims=True) / (2**bits - 1)
    return (np.round(groups / scale) * scale).reshape(W.shape)


def _one_more(W: ndarray, bits: int, size: int) -> ndarray:
    groups = W.reshape(-1, size)
    scale = np.abs(groups).max(axis=1, keepdims=True) / 2 ** (bits - 1)
    return (np.round(groups / scale) * scale).reshape(W.shape)


def _signed_largest(W: ndarray, bits: int, size: int) -> ndarray:
    groups = W.reshape(-1, size)
    scale = groups.max(axis=1, keepdims=True) / (2 ** (bits - 1) - 1)
    return (np.round(groups / scale) * scale).reshape(W.shape)


def _from_least_to_largest(W: ndarray, bits: int, size: int) -> ndarray:
    groups = W.reshape(-1, size)
    scale = np.ptp(groups, axis=1, keepdims=True) / (2**bits - 1)
    return (np.round(groups / scale) * scale).reshape(W.shape)


def _codes(W: ndarray, bits: int, size: int) -> ndarray:
    groups = W.reshape(-1, size)
    scale = np.abs(groups).max(axis=1, keepdims=True) / (2 ** (bits - 1) - 1)
    return np.round(groups / scale).reshape(W.shape)


def _cut_off(W: ndarray, bits: int, size: int) -> ndarray:
    groups = W.reshape(-1, size)
    scale = np.abs(groups).max(axis=1, keepdims=True) / (2 ** (bits - 1) - 1)
    return (np.trunc(groups / scale) * scale).reshape(W.shape)


ROUNDING_MISTAKES = {
    "One scale for the whole matrix; each group has its own.": _whole,
    "One scale for each row; a row here holds two groups.": (
        lambda W, bits, size: rounded_in_groups(W, bits, W.shape[1])
    ),
    "With a sign there are 2^(bits-1) - 1 steps on each side, not 2^bits - 1.": (
        _unsigned
    ),
    "One step too many: t = 2^(bits-1) - 1, and 2^(bits-1) does not fit.": _one_more,
    "The largest of a group is the largest in size: a negative one counts, too.": (
        _signed_largest
    ),
    "The scale goes from 0 to the largest size on both sides, not from the smallest "
    "weight to the largest.": _from_least_to_largest,
    "Those are the whole numbers k; the weight is s k.": _codes,
    "Round to the nearest step; yours cuts off towards zero.": _cut_off,
    "Groups run along the rows, as the weights lie in memory.": (
        lambda W, bits, size: rounded_in_groups(W.T.copy(), bits, size).T
    ),
}


def tokens_per_pass(alpha: float, gamma: int) -> float:
    """Token i + 1 of a round exists if the first i drafts were accepted: alpha^i."""
    return sum(alpha**i for i in range(gamma + 1))


def alpha_and_gamma(rng: Generator) -> tuple:
    return round(float(rng.uniform(0.2, 0.95)), 2), int(rng.integers(2, 8))


TOKEN_MISTAKES = {
    "That is a round without end; the sum stops at alpha^gamma.": (
        lambda alpha, gamma: 1 / (1 - alpha)
    ),
    "The last token of a round is the target's own: 1 is missing.": (
        lambda alpha, gamma: tokens_per_pass(alpha, gamma) - 1
    ),
    "A refusal ends the round, so later drafts need all earlier ones: powers.": (
        lambda alpha, gamma: 1 + alpha * gamma
    ),
    "That is as if each draft had its own chance; a refusal ends the round, and the "
    "target adds a token.": lambda alpha, gamma: alpha * gamma,
    "Token i + 1 is there with probability alpha^i: add these up, without a factor.": (
        lambda alpha, gamma: sum(i * alpha**i for i in range(gamma + 1))
    ),
    "Even when all drafts are accepted there is one more token, from the target.": (
        lambda alpha, gamma: tokens_per_pass(alpha, gamma - 1)
    ),
}


EXERCISES = Exercises(
    "assistants",
    Exercise(1, "*", counted, chats, COUNTED_MISTAKES),
    Exercise(2, "*", low_rank_parameters, shapes_and_rank, PARAMETER_MISTAKES),
    Exercise(3, "**", best_low_rank, change_and_rank, fault=low_rank_fault),
    Exercise(4, "**", dpo_loss, log_probabilities, DPO_MISTAKES),
    Exercise(5, "***", best_of_n_over_optimises, helpers=(best_of,)),
    Exercise(6, "**", rounded_in_groups, matrix_and_groups, ROUNDING_MISTAKES),
    Exercise(7, "*", tokens_per_pass, alpha_and_gamma, TOKEN_MISTAKES),
)
check, solution = EXERCISES.check, EXERCISES.solution
