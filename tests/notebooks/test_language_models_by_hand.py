"""What lecture 06 says of counts and has no cell for: computed here once more."""

import numpy as np
import pytest

from course_lib.data import shakespeare, sources
from course_lib.models import longer_training
from course_lib.models.ngrams import KneserNey, NGrams

JUDGED = longer_training.held_out("test")


def runs(numbers: np.ndarray, n: int, V: int) -> np.ndarray:
    """Every run of n tokens as one number."""
    rows = np.lib.stride_tricks.sliding_window_view(numbers.astype(np.int64), n)
    return rows @ V ** np.arange(n - 1, -1, -1)


def look_up(keys: np.ndarray, values: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """The values of these keys; 0 for a key never seen."""
    place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
    return np.where(keys[place] == asked, values[place], 0)


def modified_kneser_ney(learn: np.ndarray, new: np.ndarray, order: int, V: int):
    """-log p by Chen and Goodman's rule: a discount each for counts 1, 2, 3 and up."""
    p = np.array(1 / V)
    for n in range(1, order + 1):
        keys, counts = np.unique(runs(learn, n, V), return_counts=True)
        if n < order:  # how many different tokens stood in front
            longer = np.unique(runs(learn, n + 1, V))
            keys, counts = np.unique(longer % V**n, return_counts=True)
        off = np.zeros(4)
        n_1, n_2, n_3, n_4 = ((counts == times).sum() for times in (1, 2, 3, 4))
        if min(n_1, n_2, n_3) > 0:
            first = n_1 / (n_1 + 2 * n_2)
            steps = [n_2 / n_1, n_3 / n_2, n_4 / n_3]
            off[1:] = [k - (k + 1) * first * step for k, step in enumerate(steps, 1)]
        contexts, start = np.unique(keys // V, return_index=True)
        taken = np.add.reduceat(off[np.minimum(counts, 3)], start)
        total = np.add.reduceat(counts, start)
        asked = runs(new, n, V)[order - n :]
        here = look_up(keys, counts, asked)
        C, back = (look_up(contexts, sums, asked // V) for sums in (total, taken))
        kept = np.maximum(here - off[np.minimum(here, 3)], 0)
        mixed = (kept + back * p) / np.maximum(C, 1)
        p = np.where(C > 0, mixed, p)
    return -np.log(p)


def test_a_table_of_five_is_nearly_as_close_to_the_forward_algorithm():
    source, heard = sources.load(seed=0, length=200_000)
    _, fresh = sources.load(seed=1, length=40_000)
    counted, known = NGrams(heard, 5, 4), {}
    guess = np.empty((len(fresh), 4))
    for t in range(len(fresh)):
        context = tuple(fresh[max(0, t - 4) : t])
        if context not in known:
            known[context] = counted.following(np.array(context, dtype=int))
        guess[t] = known[context]
    apart = np.abs(source.predictions(fresh) - guess)[101:].mean()
    assert apart == pytest.approx(0.013, abs=0.0005)


def test_the_three_plays_differ():
    letters = shakespeare.letters()
    counted = NGrams(letters.train, 6, 78)
    costs = [
        counted.losses(letters.encode(play.text[: longer_training.JUDGED]))[-1].mean()
        for play in shakespeare.works()
        if play.split == "test"
    ]
    assert sorted(costs) == pytest.approx([1.61, 1.62, 1.85], abs=0.005)


@pytest.mark.parametrize(
    ("name", "V", "best", "no_better"), [("letters", 78, 6, 7), ("pairs", 1024, 4, 5)]
)
def test_longer_runs_are_no_better_and_a_third_rule_is_a_little(
    name, V, best, no_better
):
    corpus = shakespeare.letters() if name == "letters" else shakespeare.tokens(V)
    counted = NGrams(corpus.train, no_better, V)
    new = np.asarray(corpus.encode(JUDGED))
    rules = counted, KneserNey(counted)
    plain, stronger = (rule.losses(new).sum(axis=1) / len(JUDGED) for rule in rules)
    assert plain[best] > plain[best - 1] + 0.03  # rows count from one token on
    assert stronger[best] > stronger[best - 1] - 0.005
    third = modified_kneser_ney(np.asarray(corpus.train), new, best, V)
    assert 0.01 < stronger[best - 1] - third.sum() / len(JUDGED) < 0.04
