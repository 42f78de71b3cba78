"""The thread's data: names of numbers, against num2words itself."""

import sys

import numpy as np
import pytest
from num2words import num2words

from course_lib.data import number_words
from course_lib.data.installed import MissingDataError
from course_lib.data.number_words import pieces_of, text, words

ODD = [0, 1, 17, 21, 71, 80, 81, 97, 100, 200, 1000, 1001, 2000, 80_000, 180_000]
ODD += [200_000, 201_000, 10**6, 2 * 10**6, 80 * 10**6, 200 * 10**6, 10**9, 10**12 - 1]


@pytest.mark.parametrize("language", number_words.LANGUAGES)
def test_names_put_together_are_those_of_num2words(language):
    rng = np.random.default_rng(5)
    drawn = [int(rng.integers(10**k)) for k in range(1, 13) for _ in range(11)]
    for n in ODD + drawn:
        assert words(n, language) == pieces_of(num2words(n, lang=language)), n


def test_pieces_go_together_again():
    assert words(97, "fr") == ("quatre", "-vingt", "-dix", "-sept")
    assert text(words(97, "fr")) == "quatre-vingt-dix-sept"
    assert text(words(885, "en")) == "eight hundred eighty-five"
    assert text(words(885, "fr")) == "huit cent quatre-vingt-cinq"
    for n in ODD:
        assert text(words(n, "fr")) == num2words(n, lang="fr")


def test_two_numbers_never_have_the_same_name():
    assert len({words(n, "fr") for n in range(0, 200_000, 37)}) == len(
        range(0, 200_000, 37)
    )


def test_load_gives_distinct_numbers_and_true_names():
    data = number_words.load(seed=3, train=211, test=53, digits=7)
    both = data.train.numbers + data.test.numbers
    assert len(data.train) == 211
    assert len(data.test) == 53
    assert len(set(both)) == len(both)
    for pairs in (data.train, data.test):
        for n, source, target in zip(
            pairs.numbers, pairs.source, pairs.target, strict=True
        ):
            assert data.english.decode(source) == words(n, "en")
            assert data.french.decode(target) == words(n, "fr")
    assert data.test.source_lengths.tolist() == [
        len(words(n, "en")) for n in data.test.numbers
    ]


def test_a_seed_gives_the_same_pairs_and_another_seed_others():
    first, again, other = (number_words.load(seed, 101, 13, 6) for seed in (1, 1, 2))
    assert first.train.numbers == again.train.numbers
    assert (first.train.source == again.train.source).all()
    assert first.train.numbers != other.train.numbers


def test_every_count_of_digits_is_drawn_equally_often():
    data = number_words.load(seed=0, train=2003, test=5, digits=9)
    digits = np.array([len(str(n)) for n in data.train.numbers])
    for count in range(4, 10):  # of the shorter ones there are too few
        assert 0.08 < (digits == count).mean() < 0.2


def test_lengths_are_split_into_seen_and_longer():
    data = number_words.load_lengths(seed=3, train=401, test=97, longer=31)
    assert [len(part) for part in (data.train, data.test, data.longer)] == [401, 97, 31]
    shorter = data.train.numbers + data.test.numbers
    assert len({*shorter, *data.longer.numbers}) == 401 + 97 + 31
    large = [n for n in shorter if n >= 10**9]
    assert len(large) == (401 + 97) // 10
    for n in large:
        assert 0 in (n % 1000, n // 10**3 % 1000, n // 10**6 % 1000)
        assert len(words(n, "en")) <= number_words.LONGEST
    assert len(words(999_999_999, "en")) == number_words.LONGEST
    for n, source in zip(data.longer.numbers, data.longer.source, strict=True):
        assert len(words(n, "en")) > number_words.LONGEST
        assert data.english.decode(source) == words(n, "en")
    assert len(number_words.load(train=101, test=13, digits=6).longer) == 0


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match=r"'de'.*\('en', 'fr'\)"):
        words(5, "de")
    with pytest.raises(ValueError, match=r"-1 is not in"):
        words(-1, "en")
    with pytest.raises(ValueError, match="1..12, got 13"):
        number_words.load(digits=13)
    with pytest.raises(ValueError, match="train=600 and test=100"):
        number_words.load(train=600, test=100, digits=3)
    with pytest.raises(ValueError, match=r"train=20, test=10 and longer=0 must be"):
        number_words.load_lengths(train=20, test=10, longer=0)


def test_without_the_package_a_line_says_how_to_get_it(monkeypatch):
    number_words._ask.cache_clear()
    number_words._group.cache_clear()
    monkeypatch.setitem(sys.modules, "num2words", None)  # as if not installed
    with pytest.raises(MissingDataError, match=r"num2words.*./course setup"):
        words(5, "en")
