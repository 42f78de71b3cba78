"""The ledger's tables and its picture show the rows, with evidence computed."""

import html
import re

import matplotlib.pyplot as plt
import pytest
from stopwatch import assert_quick

from course_lib.errata import ledger, settle
from course_lib.show import ledger as pictures
from course_lib.show.plots import unlabelled

ENTRIES = ledger()
LECTURES = sorted({entry.lecture for entry in ENTRIES})


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize("lecture", LECTURES)
def test_a_lecture_has_a_row_for_each_entry_with_its_evidence(lecture):
    page = pictures.settled(lecture).data
    entries = ledger(lecture)
    assert page.count("<tr>") == 1 + len(entries)
    for entry in entries:
        assert f"<b>E{entry.number}</b>" in page
        assert f'href="{entry.address}"' in page
        assert html.escape(entry.title, quote=False) in page
        first = settle(entry).split(" | ")[0]
        assert html.escape(first, quote=False) in page


def test_code_and_formulas_survive():
    page = pictures.table(ENTRIES).data
    assert "<code>nn.MultiheadAttention</code>" in page
    assert "y_{&lt;t}" in page


def test_the_table_is_well_formed():
    page = pictures.table(ENTRIES).data
    open_tags = []
    for closing, tag in re.findall(r"<(/?)(\w+)[^>]*>", page):
        if tag == "br":
            continue
        if closing:
            assert open_tags.pop() == tag
        else:
            open_tags.append(tag)
    assert open_tags == []


def test_a_word_finds_its_entries_and_an_unknown_one_says_so():
    page = pictures.find("Softmax").data
    assert "<b>E28</b>" in page
    assert "<b>E59</b>" in page
    assert "<b>E1</b>" not in page
    with pytest.raises(ValueError, match="no entry has the word 'perceptron'"):
        pictures.find("perceptron")


def test_counts_are_those_of_the_table():
    fig, alt = pictures.draw_counts(ENTRIES)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    bars = sum(patch.get_width() for patch in fig.axes[0].patches)
    assert bars == 91
    assert "13, are settled in 09_attention_layers" in alt


def test_what_the_page_says_of_all_entries():
    """Fewer than half are wrong; three are facts; two have no printed number."""
    wrong = sum(entry.sort == "wrong" for entry in ENTRIES)
    assert 2 * wrong < len(ENTRIES)
    facts = [entry for entry in ENTRIES if entry.is_fact]
    assert len(facts) == 3
    told = {entry.number: settle(entry) for entry in ENTRIES if not entry.is_fact}
    refused = re.compile("off by|wrong in|of shape|cannot be computed|printed nan")
    assert [n for n, words in told.items() if not refused.search(words)] == [44, 45]


def test_the_picture_is_quick():
    assert_quick(lambda: pictures.draw_counts(ENTRIES))
