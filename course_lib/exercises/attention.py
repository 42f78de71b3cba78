"""Exercises of lecture 08: scores, weights, contexts, and what an alignment is."""

import numpy as np
import torch
from numpy.random import Generator

from course_lib import running_task
from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.models.additive import AttentionSeq2Seq, Features
from course_lib.models.seq2seq import State
from course_lib.seeds import set_seed


def softmax(e: np.ndarray, axis: int | None = -1) -> np.ndarray:
    """exp(e) over its sum along `axis`; None: over all entries."""
    exp = np.exp(e - e.max(axis=axis, keepdims=True))
    return exp / exp.sum(axis=axis, keepdims=True)


def context(e: np.ndarray, f: np.ndarray) -> np.ndarray:
    """Weights from the scores, then the weighted sum of the features."""
    alpha = np.exp(e) / np.exp(e).sum()
    return alpha @ f


def scores_and_features(rng: Generator) -> tuple:
    T = int(rng.choice([3, 4]))
    return 2 * rng.standard_normal(T).round(2), rng.standard_normal((T, 2)).round(2)


CONTEXT_MISTAKES = {
    "The scores are not weights yet: exponentiate and divide by the sum.": (
        lambda e, f: e @ f
    ),
    "exp is there, the division by the sum is missing.": lambda e, f: np.exp(e) @ f,
    "You divided the raw scores by their sum; the softmax takes exp first.": (
        lambda e, f: e / e.sum() @ f
    ),
    "Those are the weighted features; add them up over t.": (
        lambda e, f: softmax(e)[:, None] * f
    ),
    "You took the feature with the largest score: that has no gradient in e.": (
        lambda e, f: f[e.argmax()]
    ),
    "That is the plain mean: the scores are not used.": lambda e, f: f.mean(axis=0),
    "Those are the weights; the context is their sum with the features.": (
        lambda e, f: softmax(e)
    ),
    "The weights add up to 1 already: do not divide by T once more.": (
        lambda e, f: softmax(e) @ f / len(e)
    ),
}


def additive_scores(
    s: np.ndarray, f: np.ndarray, W_q: np.ndarray, W_k: np.ndarray, w: np.ndarray
) -> np.ndarray:
    """One row for each feature: f @ W_k.T; the query is the same in all of them."""
    return np.tanh(W_q @ s + f @ W_k.T) @ w


def query_and_weights(rng: Generator) -> tuple:
    draw = lambda *shape: rng.standard_normal(shape).round(2)  # noqa: E731
    T = int(rng.choice([4, 6]))
    return draw(2), draw(T, 3), draw(5, 2), draw(5, 3), draw(5)


SCORE_MISTAKES = {
    "The tanh is missing: then the query shifts all scores alike.": (
        lambda s, f, Q, K, w: (Q @ s + f @ K.T) @ w
    ),
    "The two parts are added before the tanh, not multiplied.": (
        lambda s, f, Q, K, w: np.tanh((Q @ s) * (f @ K.T)) @ w
    ),
    "The query is not used: every word would look at the same place.": (
        lambda s, f, Q, K, w: np.tanh(f @ K.T) @ w
    ),
    "tanh was taken of each part; add first, then tanh.": (
        lambda s, f, Q, K, w: (np.tanh(Q @ s) + np.tanh(f @ K.T)) @ w
    ),
    "Both parts belong under the tanh; you left the query outside.": (
        lambda s, f, Q, K, w: (Q @ s + np.tanh(f @ K.T)) @ w
    ),
    "w multiplies what comes out of the tanh; yours is added under it.": (
        lambda s, f, Q, K, w: np.tanh(Q @ s + f @ K.T + w).sum(axis=1)
    ),
    "The features are not used: all scores would be equal.": (
        lambda s, f, Q, K, w: np.full(len(f), np.tanh(Q @ s) @ w)
    ),
    "Those are the weights already; the scores were asked for.": (
        lambda s, f, Q, K, w: softmax(additive_scores(s, f, Q, K, w))
    ),
    "w comes last: take tanh of each of the d_a entries, then multiply by w.": (
        lambda s, f, Q, K, w: np.tanh((Q @ s + f @ K.T) @ w)
    ),
    "w is missing: one number per feature, not d_a.": (
        lambda s, f, Q, K, w: np.tanh(Q @ s + f @ K.T)
    ),
}


def masked_weights(e: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """exp(-inf) is 0: hidden positions take no weight, and rows still add up to 1."""
    hidden = np.where(mask, e, -np.inf)
    exp = np.exp(hidden - hidden.max(axis=1, keepdims=True))
    return exp / exp.sum(axis=1, keepdims=True)


def scores_and_mask(rng: Generator) -> tuple:
    """The first row is full: whoever hides the words has nothing left in it."""
    length = np.array([[4], [int(rng.integers(2, 4))], [1]])
    return rng.standard_normal((3, 4)).round(2), np.arange(4) < length


def words_hidden(e: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The inverted mask; a row with nothing left is 0/0 or -inf - -inf: nan."""
    exp = np.where(mask, 0.0, np.exp(e))
    with np.errstate(invalid="ignore"):
        return exp / exp.sum(axis=1, keepdims=True)


MASK_MISTAKES = {
    "The mask is not used: padding takes weight from the words.": (
        lambda e, mask: softmax(e)
    ),
    "You set masked weights to 0 after the softmax: rows no longer sum to 1.": (
        lambda e, mask: softmax(e) * mask
    ),
    "Masked scores were set to 0; exp(0) = 1 still takes weight.": (
        lambda e, mask: softmax(np.where(mask, e, 0))
    ),
    "The softmax runs over the batch; each row needs its own.": (
        lambda e, mask: np.exp(e) * mask / (np.exp(e) * mask).sum(axis=0)
    ),
    "One softmax over the whole array; each row needs its own.": (
        lambda e, mask: np.exp(e) * mask / (np.exp(e) * mask).sum()
    ),
    "The mask is the wrong way round: True marks a word. (Hence the nan: the first "
    "row has no padding, so nothing was left in it.)": words_hidden,
    "The mask is the wrong way round: True marks a word.": (
        lambda e, mask: np.nan_to_num(words_hidden(e, mask))
    ),
    "The mask is the wrong way round: True marks a word. A row in which all scores "
    "are equally small gets equal weights.": (
        lambda e, mask: softmax(np.where(mask, -1e9, e))
    ),
}


def linked_share(alpha: np.ndarray, links: np.ndarray) -> float:
    """The share of rows whose largest weight lies where links is True."""
    most = alpha.argmax(axis=1)
    return float(links[np.arange(len(alpha)), most].mean())


def weights_and_links(rng: Generator) -> tuple:
    """Row 1 is a hit, row 2 none, row 3 a hit on the second of two linked words."""
    links = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]], dtype=bool)
    links = links[:, rng.permutation(3)]
    alpha = softmax(3 * rng.standard_normal((4, 3))).round(2)
    alpha[0], alpha[1] = np.where(links[0], 0.7, 0.15), np.where(links[1], 0.04, 0.48)
    last = 2 - links[2, ::-1].argmax()
    alpha[2] = np.where(np.arange(3) == last, 0.4, 0.3)
    return alpha, links


SHARE_MISTAKES = {
    "That is the weight on linked words; the question is where the largest lies.": (
        lambda alpha, links: float((alpha * links).sum() / len(alpha))
    ),
    "A French word per row: the largest weight of each row, not of each column.": (
        lambda alpha, links: float(
            links[alpha.argmax(axis=0), np.arange(alpha.shape[1])].mean()
        )
    ),
    "links[:, columns] takes whole columns; take one entry of each row.": (
        lambda alpha, links: float(links[:, alpha.argmax(axis=1)].mean())
    ),
    "That is the number of hits; divide by the number of rows.": (
        lambda alpha, links: linked_share(alpha, links) * len(alpha)
    ),
    "Divide by the number of rows, not by the number of links.": (
        lambda alpha, links: linked_share(alpha, links) * len(alpha) / links.sum()
    ),
    "A word may be linked with several; links.argmax finds only the first of them.": (
        lambda alpha, links: float((alpha.argmax(1) == links.argmax(1)).mean())
    ),
    "A linked weight need not be above one half; it need only be the largest.": (
        lambda alpha, links: float(((alpha > 0.5) & links).any(axis=1).mean())
    ),
}


class ByNumber(AttentionSeq2Seq):
    """The query is the number of the step alone: place by place, whatever was said."""

    def __init__(
        self, english: int, french: int, two_way: bool = True, added: bool = True
    ) -> None:
        super().__init__(english, french, two_way=two_way, added=added)
        self.places = torch.nn.Embedding(40, self.decode.cell.hidden_size)
        ask = self.decode.attend.forward
        self.number = 0

        def by_number(query: torch.Tensor, features: Features) -> tuple:
            place = self.places.weight[self.number % 40].expand_as(query)
            self.number += 1
            return ask(place, features)

        self.decode.attend.forward = by_number

    def look(self, source: torch.Tensor) -> tuple[State, Features]:
        self.number = 0
        return super().look(source)


def by_number_compared(steps: int = 700, seed: int = 0) -> dict[str, tuple]:
    """Exact match on seen lengths and on longer ones, with and without the state.

    All else is equal: data, steps, features, decoder. On seen lengths both may be near
    100 %, so look at the longer ones; a difference smaller than that between two seeds
    of one model is none.

    Found, per cent of seen lengths, then of longer ones:

        both ways, + E   by number  99, 99 (two seeds)    24, 21
                         by state   100 (the thread's)    54, 18, 26
        one way          by number  99 (one seed)         33
                         by state   99 or more            75 to 92

    So on seen lengths the number is nearly enough. On longer ones the state is worth
    much if the encoder reads one way (`two_way=False, added=False`); if it reads both
    ways, these runs cannot tell the two apart. How can a number be enough at all? The
    query is only half of a score. A feature has read what stands before it, so it could
    carry the number of the step at which it will be wanted. That is a guess.
    """
    data, shares = running_task.load(), {}
    for name, make in (("state", AttentionSeq2Seq), ("number", ByNumber)):
        set_seed(seed)
        model = make(len(data.english), len(data.french))
        result, _ = running_task.trained("08", name, model, steps, seed=seed)
        shares[name] = (result.exact, result.longer)
    return shares


EXERCISES = Exercises(
    "attention",
    Exercise(1, "*", context, scores_and_features, CONTEXT_MISTAKES),
    Exercise(2, "**", additive_scores, query_and_weights, SCORE_MISTAKES),
    Exercise(3, "**", masked_weights, scores_and_mask, MASK_MISTAKES),
    Exercise(4, "*", linked_share, weights_and_links, SHARE_MISTAKES),
    Exercise(5, "***", by_number_compared, helpers=(ByNumber,)),
)
check, solution = EXERCISES.check, EXERCISES.solution
