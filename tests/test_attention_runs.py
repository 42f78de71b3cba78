"""The stored runs of lecture 08: complete, matched, and measured as they say."""

import numpy as np
import pytest

from course_lib import attention_runs, running_task
from course_lib.attention_runs import chance, counted, diagonal, linked_shares
from course_lib.data import reordering

TEST = reordering.load(train=50, test=40).test


def test_links_themselves_are_linked_everywhere():
    best = [pair.matrix.argmax(axis=1) for pair in TEST]
    assert linked_shares(TEST, best) == (1.0, 1.0, 1.0)
    nowhere = [np.full(len(pair.french), len(pair.english)) for pair in TEST]
    assert linked_shares(TEST, nowhere) == (0.0, 0.0, 0.0)


def test_chance_is_what_random_looks_find():
    rng = np.random.default_rng(0)
    draws = [
        linked_shares(
            TEST,
            [rng.integers(0, len(p.english) + 1, len(p.french)) for p in TEST],
        )
        for _ in range(60)
    ]
    assert np.mean(draws, axis=0) == pytest.approx(chance(TEST), abs=0.01)


def test_counts_find_the_partner_that_always_comes_along():
    pair = reordering.load(train=50, test=40).train
    content = linked_shares(TEST, counted(pair, TEST))[1]
    assert content > linked_shares(TEST, [diagonal(p) for p in TEST])[1]
    looks = counted((), TEST)  # nothing counted: the first word, and no error
    assert all((look == 0).all() for look in looks)


def test_the_diagonal_joins_first_to_first_and_last_to_last():
    for pair in TEST:
        line = diagonal(pair)
        assert (line[0], line[-1]) == (0, len(pair.english) - 1)
        assert (np.diff(line) >= 0).all()


def test_the_tables_hold_every_run():
    runs = attention_runs.ablation()
    assert len({run.model for run in runs}) == 8
    assert len({(run.model, run.seeds) for run in runs}) == len(runs) >= 10
    sizes = [run.parameters for run in runs]
    assert max(sizes) <= 1.03 * min(sizes)
    for steps, count in ((200, 4 * 5), (600, 2 * 2)):
        aligned = attention_runs.alignments(steps)
        assert len(aligned) == len({run[:2] for run in aligned}) == count


def test_the_stored_runs_say_what_lecture_08_says_of_them():
    runs = attention_runs.ablation()
    looking = [r for r in runs if r.model.startswith("attention")]
    fixed = [r for r in runs if r not in looking]
    own = [r for r in running_task.runs() if r.model == "additive attention"]
    assert round(100 * max(r.exact for r in fixed)) == 68
    assert round(100 * min(r.exact for r in looking)) == 99
    assert max(r.longer for r in fixed) < 0.02
    assert min(r.longer for r in [*looking, *own]) >= 0.17
    one_way = [r.longer for r in looking if "one way" in r.model]
    both_ways = [r.longer for r in [*looking, *own] if "one way" not in r.model]
    assert (len(one_way), len(both_ways)) == (4, 7)
    assert round(100 * (min(one_way) - max(both_ways))) == 7


def test_the_stored_looks_say_what_lecture_08_says_of_them():
    corpus = reordering.load(train=4_000, test=200)
    along = [diagonal(pair) for pair in corpus.test]
    _, of_diagonal, _ = linked_shares(corpus.test, along)
    runs = attention_runs.alignments(200)
    without = [r.content for r in runs if "+ E" not in r.model]
    assert sum(share < of_diagonal for share in without) == 8
    assert len(without) == 10
    assert min(r.content for r in runs if "+ E" in r.model) > max(0.8, of_diagonal)
    further = {r[:2]: r.content for r in attention_runs.alignments(600)}
    grown = [further[r[:2]] - r.content for r in runs if r[:2] in further]
    assert sorted(round(100 * g) for g in grown)[:: len(grown) - 1] == [3, 16]
    assert max(further.values()) < of_diagonal
