"""The glossary explains its terms without using them."""

import re

import pytest

from course_lib.data.glossary import GLOSSARY

FILLERS = {"and", "through"}


@pytest.mark.parametrize("term", GLOSSARY)
def test_an_entry_is_one_sentence_that_does_not_use_its_term(term):
    sentence = GLOSSARY[term]
    assert re.fullmatch(r"[A-Z][^.!?]+\.", sentence)
    words = set(re.findall("[a-z]+", sentence.lower()))
    assert not words & (set(re.findall("[a-z]+", term.lower())) - FILLERS)


def test_no_two_entries_say_the_same():
    assert len(set(GLOSSARY.values())) == len(GLOSSARY) > 30
