"""The reordering corpus: its sentences, its French, its alignments."""

import numpy as np
import pytest

from course_lib.data import reordering
from course_lib.data.reordering import (
    AFTER,
    BEFORE,
    PEOPLE,
    TEXTS,
    TOPICS,
    VERBS,
    active,
    famous,
    join,
    load,
    noun,
    the,
    word,
)

ENGLISH = "the agreement on the European Economic Area was signed in August 1992"
FRENCH = "l' accord sur la zone économique européenne a été signé en août 1992"


def text(pair):
    return " ".join(pair.english), " ".join(pair.french)


def test_the_famous_sentence_and_its_reversed_block():
    pair = famous()
    assert text(pair) == (ENGLISH, FRENCH)
    linked = {(pair.french[i], pair.english[j]) for i, j in pair.links}
    assert {("zone", "Area"), ("économique", "Economic")} <= linked
    assert ("européenne", "European") in linked
    assert np.array_equal(pair.matrix[4:7, 4:7], np.eye(3, dtype=bool)[::-1])
    assert pair.matrix[7:9, 7].all()  # "was" is "a été"
    assert pair.matrix.sum() == 13


def test_the_famous_sentence_is_kept_back():
    corpus = load(seed=1, train=97, test=11)
    assert corpus.test[0] == famous()
    assert famous().english not in {pair.english for pair in corpus.train}


def test_negation_wraps_the_verb_and_elides_before_a_vowel():
    pair = active(noun(PEOPLE[0]), VERBS[2], noun(TEXTS[0]), negated=True)
    assert text(pair) == (
        "the minister does not accept the agreement",
        "le ministre n' accepte pas l' accord",
    )
    linked = {(pair.french[i], pair.english[j]) for i, j in pair.links}
    assert {("n'", "does"), ("accepte", "accept"), ("pas", "not")} <= linked


@pytest.mark.parametrize(
    ("made", "english", "french"),
    [
        (
            the(noun(TEXTS[0], before=BEFORE[0])),
            "the new agreement",
            "le nouvel accord",
        ),
        (the(noun(TEXTS[3], before=BEFORE[1])), "the old law", "la vieille loi"),
        (
            the(noun(TEXTS[3], before=BEFORE[1], plural=True)),
            "the old laws",
            "les vieilles lois",
        ),
        (the(noun(TOPICS[1], AFTER[2:3]), of=True), "of the National Market", None),
        (the(noun(TOPICS[2]), of=True), "of the Union", "de l' union"),
        (the(noun(TOPICS[0]), of=True), "of the Area", "de la zone"),
    ],
)
def test_articles_and_agreement(made, english, french):
    assert text(made) == (english, french or "du marché national")


def test_every_word_is_linked_and_links_survive_joining():
    corpus = load(seed=2, train=499, test=3)
    for pair in corpus.train:
        assert pair.matrix.any(axis=0).all()
        assert pair.matrix.any(axis=1).all()
    swapped = join(word("a", "x"), word("b c", "y z"), order=(1, 0))
    assert text(swapped) == ("a b c", "y z x")
    assert sorted(swapped.links) == [(0, 1), (0, 2), (1, 1), (1, 2), (2, 0)]


def test_links_join_translations_and_nothing_else():
    """One English word is always linked with forms of one French word."""
    forms = {}
    for pair in load(seed=0, train=1009, test=3).train:
        for i, j in pair.links:
            forms.setdefault(pair.english[j], set()).add(pair.french[i])
    assert forms["European"] == {"européen", "européenne"}
    assert forms["was"] == {"a", "été"}
    assert forms["the"] == {"le", "la", "l'", "les", "du"}
    assert forms["signed"] == {"signé", "signée", "signés", "signées"}


def test_sentences_are_distinct_and_seeded():
    one, again, other = (load(seed, 101, 7) for seed in (0, 0, 3))
    everything = one.train + one.test
    assert len({pair.english for pair in everything}) == 108
    assert one == again
    assert one != other


def test_much_of_the_corpus_is_reordered():
    def crosses(pair):
        return any(i < k and j > m for i, j in pair.links for k, m in pair.links)

    assert np.mean([crosses(p) for p in load(seed=0, train=503, test=3).train]) > 0.3


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match=r"\(0, 0\).*2 parts"):
        join(word("a", "x"), word("b", "y"), order=(0, 0))
    with pytest.raises(ValueError, match="got 0 and 5"):
        reordering.load(train=0, test=5)
