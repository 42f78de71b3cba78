"""The ledger's table and pictures show its rows."""

import html
import re

import matplotlib.pyplot as plt
import pytest
from stopwatch import assert_quick

from course_lib.errata import SORTS, SOURCES, ledger
from course_lib.show import ledger as pictures
from course_lib.show.plots import unlabelled

ENTRIES = ledger()
LECTURES = sorted({entry.lecture for entry in ENTRIES})


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_the_table_has_a_row_for_each_entry():
    page = pictures.table(ENTRIES).data
    assert page.count("<tr>") == 92
    for entry in ENTRIES:
        assert f'href="{entry.address}"' in page
        assert html.escape(entry.title, quote=False) in page
    assert "<code>nn.MultiheadAttention</code>" in page
    assert "y_{&lt;t}" in page  # formulas survive as text


def test_the_table_is_well_formed():
    page = pictures.table(ENTRIES).data
    open_tags = []
    for closing, tag in re.findall(r"<(/?)(\w+)[^>]*>", page):
        if tag in ("br", "wbr"):
            continue
        if closing:
            assert open_tags.pop() == tag
        else:
            open_tags.append(tag)
    assert open_tags == []


def test_all_sources_are_explained():
    text = pictures.sources()
    assert all(short in text and long in text for short, long in SOURCES.items())


def test_counts_are_those_of_the_table():
    fig, alt = pictures.draw_counts(ENTRIES)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    bars = sum(patch.get_width() for patch in fig.axes[0].patches)
    assert bars == 91
    assert "13, are settled in 09_attention_layers" in alt


@pytest.mark.parametrize("lecture", ["01_sequences", "16_state_spaces"])
@pytest.mark.parametrize("sort", [pictures.EVERYTHING, *SORTS.values()])
def test_every_choice_draws_the_chosen_entries(lecture, sort):
    fig, alt = pictures.draw_entries(lecture, sort)
    fig.canvas.draw()
    drawn = " ".join(text.get_text() for text in fig.axes[0].texts)
    for entry in ledger(lecture):
        wanted = sort in (pictures.EVERYTHING, SORTS[entry.sort])
        assert (f"E{entry.number}  {entry.title}" in drawn) == wanted
        assert (f"E{entry.number} {entry.title}" in alt) == wanted


def test_text_stays_inside_the_picture():
    for lecture in LECTURES:
        fig, _ = pictures.draw_entries(lecture)
        fig.canvas.draw()
        width = fig.bbox.width
        for text in fig.axes[0].texts:
            assert text.get_window_extent().x1 <= width, text.get_text()


def test_growth_and_leak_draw_what_they_say():
    for draw in (pictures.draw_growth, pictures.draw_leak):
        fig, alt = draw()
        fig.canvas.draw()
        assert unlabelled(fig) == []
        assert len(alt) > 100
    first_only, both = (ax.images[0].get_array() for ax in fig.axes)
    assert (first_only == 2).sum() == 10  # the future, seen
    assert (both == 2).sum() == 0


def test_a_step_of_the_interactive_part_is_quick():
    assert_quick(lambda: pictures.draw_entries("09_attention_layers"))
