"""Byte-pair encoding: the textbook's definition, and another implementation."""

from collections import Counter

import pytest
from tokenizers import Regex, Tokenizer, models, pre_tokenizers

from course_lib.data import bpe

TEXT = "low low low low low lower lower newest newest newest widest 'tis o'er\n\n"


def learn_slowly(text: str, count: int) -> list[bpe.Pair]:
    """As the definition says: count all pairs of the whole text before every merge."""
    words, merges = [tuple(word) for word in bpe.WORDS.findall(text)], []
    for _ in range(count):
        pairs = Counter(
            pair for word in words for pair in zip(word, word[1:], strict=False)
        )
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        words = [bpe.join(word, best) for word in words]
    return merges


def test_the_most_frequent_pair_is_joined_first():
    assert bpe.learn("aab aab abb", 2)[0] == ("a", "b")
    assert bpe.learn("ba ab", 1) == ((" ", "a"),)  # three pairs, once each


@pytest.mark.parametrize("count", [0, 1, 5, 13])
def test_learns_what_the_definition_says(count):
    assert list(bpe.learn(TEXT, count)) == learn_slowly(TEXT, count)


def test_learns_what_the_definition_says_on_repeated_letters():
    text = "aaaa aaaaaaa baaaab abababab\n\n\n\n zzz" * 3
    assert list(bpe.learn(text, 11)) == learn_slowly(text, 11)


def test_text_that_is_used_up():
    with pytest.raises(ValueError, match="1 pairs are all this text has, not 2"):
        bpe.learn("ab", 2)


def test_words_lose_nothing_and_joins_stay_inside_them():
    text = "Ay, 'tis  charm'd\n\n\n[Exit 3.]\tx"
    assert "".join(bpe.WORDS.findall(text)) == text
    assert bpe.WORDS.findall("the king's 'tis") == ["the", " king", "'s", " 'tis"]


def test_join_goes_from_left_to_right():
    assert bpe.join(tuple("aaab"), ("a", "a")) == ("aa", "a", "b")
    assert bpe.join(tuple("xaa"), ("a", "a")) == ("x", "aa")


def test_encodes_as_the_package_tokenizers_does():
    from course_lib.data import shakespeare

    corpus = shakespeare.tokens(389)
    numbers = {token: number for number, token in enumerate(corpus.vocabulary)}
    theirs = Tokenizer(models.BPE(numbers, list(corpus.codec.merges)))
    theirs.pre_tokenizer = pre_tokenizers.Split(Regex(bpe.WORDS.pattern), "isolated")
    text = shakespeare.text("validation")
    assert theirs.encode(text).ids == corpus.encode(text).tolist()


def test_unknown_letter_is_named():
    with pytest.raises(ValueError, match="'c'"):
        bpe.Codec("ab").encode("abc")
