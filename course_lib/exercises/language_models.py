"""Exercises of lecture 06, language models."""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from course_lib.data import bpe, shakespeare
from course_lib.data.sources import entropy, stationary
from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.models.ngrams import NGrams


def bits_per_letter(p: np.ndarray, tokens: list[str]) -> float:
    """The cost of the whole text, shared among its letters."""
    letters = sum(len(token) for token in tokens)
    return float(-np.log2(p).sum() / letters)


def guessed_tokens(rng: Generator) -> tuple:
    pieces = ["the", " sea", "s", "h", "ell", " and", "e", " s"]
    count = int(rng.integers(4, 8))
    p = rng.uniform(0.02, 0.9, count).round(2)
    return p, [str(rng.choice(pieces)) for _ in range(count - 1)] + ["the"]


BITS_MISTAKES = {
    "That is per token; divide by the number of letters.": (
        lambda p, tokens: -np.log2(p).mean()
    ),
    "That is in nats; a bit is ln 2 of them.": lambda p, tokens: (
        bits_per_letter(p, tokens) * np.log(2)
    ),
    "That is the whole text; divide by the number of its letters.": (
        lambda p, tokens: -np.log2(p).sum()
    ),
    "That is 2 to the bits, a perplexity; leave the logarithm.": (
        lambda p, tokens: 2 ** bits_per_letter(p, tokens)
    ),
    "You took the logarithm of the mean; add up the logarithms, one for each token.": (
        lambda p, tokens: -np.log2(p.mean()) * len(p) / len("".join(tokens))
    ),
    "The sign is wrong: a cost is not negative.": (
        lambda p, tokens: -bits_per_letter(p, tokens)
    ),
    "A space is a letter of the text as well: do not strip the tokens.": (
        lambda p, tokens: bits_per_letter(p, [token.strip() for token in tokens])
    ),
    "You averaged letters per token first; divide total by total.": (
        lambda p, tokens: np.mean(
            [-np.log2(q) / len(token) for q, token in zip(p, tokens, strict=True)]
        )
    ),
}


def entropy_rate(A: np.ndarray) -> float:
    """The entropy of each row, weighed by how often its symbol comes."""
    often = np.linalg.matrix_power(A, 1000)[0]
    return float(often @ -(A * np.log(A)).sum(axis=1))


def markov_source(rng: Generator) -> tuple:
    """Rows that differ much, so that their weights matter."""
    A = rng.dirichlet(np.full(3, 0.6), 3).round(2) + 0.05
    return (A / A.sum(axis=1, keepdims=True),)


def rows_and_columns_mixed(A: np.ndarray) -> float:
    columns = A.T / A.T.sum(axis=1, keepdims=True)
    return float(stationary(A) @ entropy(columns))


RATE_MISTAKES = {
    "You averaged the rows evenly; weigh them by how often each symbol comes.": (
        lambda A: entropy(A).mean()
    ),
    "That is the entropy of one symbol, as if it had no past.": (
        lambda A: float(entropy(stationary(A)))
    ),
    "That is in bits; use the natural logarithm.": (
        lambda A: entropy_rate(A) / np.log(2)
    ),
    "The sign is wrong: an entropy is not negative.": lambda A: -entropy_rate(A),
    "That is the lowest perplexity, e to the rate; leave the logarithm.": (
        lambda A: np.exp(entropy_rate(A))
    ),
    "One row says what follows one symbol; the long run is a high power of A.": (
        lambda A: float(A[0] @ entropy(A))
    ),
    "Two steps are not the long run: take a high power of A.": (
        lambda A: float(np.linalg.matrix_power(A, 2)[0] @ entropy(A))
    ),
    "Those are the entropies of the rows; weigh and add them.": entropy,
    "Columns and rows are mixed up: row i is what follows symbol i.": (
        rows_and_columns_mixed
    ),
}


def probabilities(logits: np.ndarray, temperature: float) -> np.ndarray:
    """softmax(logits / temperature)"""
    weights = np.exp((logits - logits.max()) / temperature)
    return weights / weights.sum()


def logits_and_temperature(rng: Generator) -> tuple:
    return rng.normal(0, 1.5, 5).round(1), float(rng.choice([0.3, 0.5, 2.0, 4.0]))


TEMPERATURE_MISTAKES = {
    "You multiplied by the temperature; divide.": (
        lambda logits, temperature: probabilities(logits, 1 / temperature)
    ),
    "The temperature is not used.": lambda logits, temperature: probabilities(
        logits, 1.0
    ),
    "The result does not sum to 1: normalise after the exp.": (
        lambda logits, temperature: np.exp(logits / temperature)
    ),
    "p to the power 1 / tau does not sum to 1 yet: divide by its sum.": (
        lambda logits, temperature: probabilities(logits, 1.0) ** (1 / temperature)
    ),
    "You divided the probabilities; divide the logits before the softmax.": (
        lambda logits, temperature: probabilities(logits, 1.0) / temperature
    ),
    "Those are logarithms of probabilities; take the exponential.": (
        lambda logits, temperature: np.log(probabilities(logits, temperature))
    ),
    "You took the softmax twice; the logits are not probabilities yet.": (
        lambda logits, temperature: probabilities(
            probabilities(logits, 1.0), temperature
        )
    ),
}


def nucleus(q: np.ndarray, p: float) -> np.ndarray:
    """A token stays if the more probable ones do not reach p without it."""
    order = np.argsort(-q, kind="stable")
    before = np.cumsum(q[order]) - q[order]
    kept = np.zeros_like(q)
    kept[order] = np.where(before < p - 1e-12, q[order], 0)
    return kept / kept.sum()


def distribution(rng: Generator) -> tuple:
    """Steps of a twentieth; half of the time p is reached exactly."""
    cuts = np.sort(rng.choice(np.arange(1, 20), 4, replace=False))
    q = rng.permutation(np.diff([0, *cuts, 20])) / 20
    sums = np.cumsum(np.sort(q)[::-1])
    exactly = float(round(sums[int(rng.integers(1, 3))], 2))
    return q, exactly if rng.integers(2) else round(exactly - 0.03, 2)


def top_p_with(
    q: np.ndarray, p: float, more: int = 0, scale: bool = True
) -> np.ndarray:
    """As many as `nucleus` keeps, and some more."""
    count = int((nucleus(q, p) > 0).sum()) + more
    order = np.argsort(-q, kind="stable")[: max(count, 1)]
    kept = np.zeros_like(q)
    kept[order] = q[order]
    return kept / kept.sum() if scale else kept


def past_p(q: np.ndarray, p: float) -> np.ndarray:
    """Goes on when the sum is exactly p."""
    order = np.argsort(-q, kind="stable")
    before = np.cumsum(q[order]) - q[order]
    kept = np.zeros_like(q)
    kept[order] = np.where(before <= p + 1e-12, q[order], 0)
    return kept / kept.sum()


def later_first(q: np.ndarray, p: float) -> np.ndarray:
    """Of equal entries the last one first, as a sorted list read backwards has them."""
    return nucleus(q[::-1], p)[::-1]


def with_all_equals(q: np.ndarray, p: float) -> np.ndarray:
    """Keeps what is at least as probable as the last token that is needed."""
    kept = np.where(q >= q[nucleus(q, p) > 0].min(), q, 0)
    return kept / kept.sum()


def as_floats_are(q: np.ndarray, p: float) -> np.ndarray:
    """Asks the sums to reach p to the last digit."""
    order = np.argsort(-q, kind="stable")
    before = np.cumsum(q[order]) - q[order]
    kept = np.zeros_like(q)
    kept[order] = np.where(before < p, q[order], 0)
    return kept / kept.sum()


def as_they_stand(q: np.ndarray, p: float) -> np.ndarray:
    kept = np.where(np.cumsum(q) - q < p - 1e-12, q, 0)
    return kept / kept.sum()


TOP_P_MISTAKES = {
    "Scale what is left, so that it sums to 1.": (
        lambda q, p: top_p_with(q, p, scale=False)
    ),
    "The token that carries the sum to p belongs to the kept ones.": (
        lambda q, p: top_p_with(q, p, -1)
    ),
    "One token too many where the sum is exactly p: reached is enough.": past_p,
    "One token too many is kept.": lambda q, p: top_p_with(q, p, 1),
    "You went through the tokens as they stand; sort by probability first.": (
        as_they_stand
    ),
    'Of equal entries the earlier one comes first: sort with kind="stable".': (
        later_first
    ),
    "All entries equal to the last one are kept; the fewest that reach p are enough.": (
        with_all_equals
    ),
    "A sum that misses p by less than 1e-12 has reached it: allow for rounding.": (
        as_floats_are
    ),
    "The entries are sorted; each has to stay in its place.": (
        lambda q, p: np.sort(nucleus(q, p))[::-1]
    ),
    "Nothing is cut away.": lambda q, p: q,
}


def joins_compared(
    vocabularies: Sequence[int] = (78, 256, 512, 1024, 2048),
    order: int = 3,
    letters: int | None = None,
) -> dict:
    """Nats per letter of counted runs of `order` tokens, on the validation plays.

    Equal: the text, the order, the rule that mixes orders. One number for each size of
    the vocabulary, in a unit that all share. Measured once, runs of three:

        letters 78: 2.06, then 256: 1.60, 512: 1.55, 1024: 1.55, 2048: 1.56

    so a flat bottom near a thousand. Report on the test plays, and once. What the curve
    does not show: a network has no runs of three, and its best size need not be the
    count's; and with more text the bottom moves to larger vocabularies.
    """
    learn_from = shakespeare.text("train")[:letters]
    judged = shakespeare.text("validation")[:letters]
    merges = bpe.learn(learn_from, max(vocabularies) - len(shakespeare.LETTERS))
    found = {}
    for V in vocabularies:
        codec = bpe.Codec(shakespeare.LETTERS, merges[: V - len(shakespeare.LETTERS)])
        counted = NGrams(codec.encode(learn_from), order, V)
        found[V] = counted.losses(codec.encode(judged))[-1].sum() / len(judged)
    return found


EXERCISES = Exercises(
    "language_models",
    Exercise(1, "*", bits_per_letter, guessed_tokens, BITS_MISTAKES),
    Exercise(2, "**", entropy_rate, markov_source, RATE_MISTAKES),
    Exercise(3, "*", probabilities, logits_and_temperature, TEMPERATURE_MISTAKES),
    Exercise(4, "**", nucleus, distribution, TOP_P_MISTAKES, instances=10),
    Exercise(5, "***", joins_compared),
)
check, solution = EXERCISES.check, EXERCISES.solution
