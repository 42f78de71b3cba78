"""The drawings of lecture 07 show what the searches do."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgba

from course_lib.data import reordering
from course_lib.search import beam_search, exhaustive, greedy
from course_lib.show import seq2seq as drawings
from course_lib.show.plots import BLUE, GREEN, unlabelled
from course_lib.show.seq2seq import BOOK, LONGEST, NEXT, chain, columns, draw_beam


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_a_chain_gives_the_probabilities_of_its_table():
    step, book = chain(NEXT)
    p = step(torch.arange(len(book)), None)[0].exp()
    assert torch.allclose(p.sum(dim=1), torch.ones(len(book)).double())
    for word, following in NEXT.items():
        for other, share in following.items():
            assert p[book.ids[word], book.ids[other]] == pytest.approx(share)
    with pytest.raises(ValueError, match=r"'a' adds up to 0.9"):
        chain({"a": {"b": 0.9}})


def test_the_made_up_model_misleads_greedy_search():
    best, _ = exhaustive(drawings.toy_step, None, LONGEST)[0]
    assert BOOK.decode(best) == ("estamos", "comiendo", "pan")
    quick = greedy(drawings.toy_step, None, 1, LONGEST).tokens[0]
    assert BOOK.decode(quick) == ("comemos", "pan")


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.5])
def test_columns_are_the_candidates_in_order_and_the_kept_are_those_of_the_search(
    width, alpha
):
    beam = beam_search(drawings.toy_step, None, 1, LONGEST, width, alpha)
    made = columns(beam, BOOK, alpha)
    assert len(made) == len(beam.steps)
    for nodes, step in zip(made, beam.steps, strict=True):
        assert [node.rank for node in nodes] == list(range(len(nodes)))
        kept = [node for node in nodes if node.kept]
        assert [BOOK.ids[node.word] for node in kept] == step.token[0][
            : len(kept)
        ].tolist()
        for node, log_p in zip(kept, step.log_p[0].tolist(), strict=False):
            assert np.log(node.p) == pytest.approx(log_p)
        possible = (step.candidates[0] > -torch.inf).sum()
        assert len(nodes) == possible
    for before, nodes in itertools.pairwise(made):
        for node in nodes:
            parent = before[node.parent]
            assert parent.kept
            if node.waiting:
                assert node.p == pytest.approx(parent.p)
            else:
                share = NEXT[parent.word][node.word]
                assert node.p == pytest.approx(parent.p * share)


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("step", range(LONGEST + 1))
def test_the_picture_fills_as_many_boxes_as_are_kept(width, step):
    fig, told = draw_beam(width, step, 0.0)
    beam = beam_search(drawings.toy_step, None, 1, LONGEST, width)
    made = columns(beam, BOOK)[:step]
    faces = [patch.get_facecolor() for patch in fig.axes[0].patches]
    filled = sum(face in (to_rgba(BLUE), to_rgba(GREEN)) for face in faces)
    assert filled == 1 + sum(node.kept for nodes in made for node in nodes)
    assert len(faces) == 1 + sum(map(len, made))
    assert f"width {width}, step {step}" in told
    assert unlabelled(fig) == []


def test_the_sentence_under_the_picture_is_the_best_so_far():
    assert "nothing yet (probability 1.000), not ended" in draw_beam(2, 0)[1]
    assert "comemos (probability 0.450), not ended" in draw_beam(2, 1)[1]
    assert "estamos comiendo pan (probability 0.291), complete" in draw_beam(2, 4)[1]
    assert "comemos pan (probability 0.171), complete" in draw_beam(1, 5)[1]
    assert "alpha 1.5" in draw_beam(2, 3, 1.5)[1]


def test_alignments_are_drawn_as_they_are():
    pair = reordering.famous()
    fig, alt = drawings.alignments({"one": pair, "two": pair})
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["one", "two"]
    ax = fig.axes[0]
    assert np.array_equal(ax.images[0].get_array(), pair.matrix)
    assert [t.get_text() for t in ax.get_xticklabels()] == list(pair.english)
    assert [t.get_text() for t in ax.get_yticklabels()] == list(pair.french)
    assert unlabelled(fig) == []
    assert "European Economic Area" in alt


def test_crossings_are_counted():
    words = ("a", "b", "c")
    cross = lambda *links: drawings.crossings(  # noqa: E731
        reordering.Pair(words, words, frozenset(links))
    )
    assert cross((0, 0), (1, 1), (2, 2)) == (0, 3)
    assert cross((0, 2), (1, 1), (2, 0)) == (3, 3)
    assert cross((0, 1), (1, 0), (1, 2)) == (1, 3)
    assert cross((0, 0), (0, 1)) == (0, 1)  # one word, two links: no crossing


def test_lengths_are_counted_in_both_directions():
    T, T_prime = np.array([1, 2, 2, 3]), np.array([1, 3, 3, 2])
    fig, alt = drawings.lengths(T, T_prime)
    counts = np.nan_to_num(fig.axes[0].images[0].get_array().filled(0))
    assert counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 2, 0]]
    assert "1 to 3 English tokens" in alt
    assert unlabelled(fig) == []


def test_the_wake_of_a_mistake_shows_both_models():
    curves = {
        "told": np.array([[0.9, 0.8], [0.4, 0.6]]),
        "practised": np.array([[0.8, 0.8], [0.4, 0.7]]),
    }
    fig, alt = drawings.after_a_mistake(curves, np.array([1.0, 0.5]))
    left, right = fig.axes
    assert [line.get_ydata().tolist() for line in right.lines[:2]] == [
        pytest.approx([90, 80]),
        pytest.approx([40, 60]),
    ]
    assert left.lines[0].get_ydata().tolist() == [1.0, 0.5]
    assert "told 40 and then 60; practised 40 and then 70" in alt
    assert unlabelled(fig) == []
