"""What cells show: nothing that runs, nothing endless, always text."""

import re
import time

import pytest

from course_tools.grading.limits import HTML_DEPTH, Limits
from course_tools.grading.pages import disarm, outputs
from course_tools.grading.pages.html import TAGS, harmless

TABLE = (
    '<table border="1" class="dataframe">\n<tr style="text-align: right;">'
    '<th colspan=2 title="a &amp; b">x</th></tr></table>'
)


def test_tables_keep_their_shape():
    assert harmless(TABLE) == (
        '<table class="dataframe">\n<tr>'
        '<th colspan="2" title="a &amp; b">x</th></tr></table>'
    )


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("<b>x</b><script>alert(1)</script>y", "<b>x</b>y"),
        ("<style>* {display: none}</style >y", "y"),
        ("<SCRIPT>alert(1)", ""),
        ("<img src=x onerror=alert(1)>a", "a"),
        ("<a href='javascript:1' onclick=x class=c>a</a>", '<a class="c">a</a>'),
        ("<p title='\"><script>'>x", "&lt;p title=&#x27;&quot;&gt;"),
        ("<p data-class=x xclass=y class = z>", '<p class="z"></p>'),
        ("a < b <c", "a &lt; b &lt;c"),
        ("<!-- <b> -->x<!doctype html><?php ?>", "x"),
        ("</div></p>x<i>", "x<i></i>"),
        ("<b><i>x</b>y", "<b><i>x</i></b>y"),
        ("<br/><hr><br>", "<br><hr><br>"),
        ("&lt;script&gt; &#60;b&#62;", "&lt;script&gt; &lt;b&gt;"),
        ("$\\&#104;ref{javascript:1}{x}$", "$\\mathrm{javascript:1}{x}$"),
        ("&#" + "1" * 5000, "&amp;#" + "1" * 5000),
    ],
)
def test_harmless(given, made):
    assert harmless(given) == made
    assert harmless(harmless(given)) == harmless(given)


@pytest.mark.parametrize(
    "piece",
    ["<div>", "<b><p>", "<", "<a '", '<a "', "<!--", "<script>", "</b>", "<a b=", "&#"]
    + ["<a title='x", "<table><tr><td>", "<b>x</b>", "<!", "<?", "&", "<a x>", "<a\n"],
)
def test_no_storm_takes_long(piece):
    text = piece * (outputs.RICH_CHARACTERS // len(piece))
    start = time.process_time()
    made = harmless(text)
    assert time.process_time() - start < 1.0
    assert set(re.findall(r"<\W*(\w+)", made)) <= TAGS
    assert made.count("<div>") <= HTML_DEPTH


def display(**data):
    return {"output_type": "display_data", "data": data}


def test_what_is_too_rich_is_left_out():
    for kind in ("text/html", "text/markdown", "text/latex"):
        long = "x" * (outputs.RICH_CHARACTERS + 1)
        (kept,), _ = outputs.clean([display(**{kind: long, "text/plain": "p"})], 10**7)
        assert kept.data == {"text/plain": "p"}
        (kept,), _ = outputs.clean([display(**{kind: long})], 10**7)
        assert kept.data == {"text/plain": f"(too long to be shown: {kind})"}


def test_pictures_are_pictures():
    good = "iVBORw0KGgo=\n"
    (kept,), _ = outputs.clean([display(**{"image/png": good})], 1000)
    assert kept.data == {"image/png": good}
    assert outputs.clean([display(**{"image/png": 'AA" onload="x'})], 1000)[0] == []


def stream(text):
    return {"output_type": "stream", "name": "stdout", "text": text}


def test_a_cell_and_a_notebook_have_room_for_so_much():
    room = outputs.Room(Limits(output=1000, outputs_total=2500))
    made = [room.clean([stream("x" * 600), stream("y" * 600)]) for _ in range(4)]
    sizes = [[len(item.text) for item in cell[:-1]] for cell in made]
    assert sizes == [[600, 400], [600, 400], [500], [0]]
    said = [cell[-1].text for cell in made]
    assert "this cell has more than 1,000 characters" in said[0]
    assert "this notebook has more than 2,500 characters" in said[2]
    assert "this notebook has more than 2,500 characters" in said[3]


def test_what_fits_is_kept_as_it_is():
    room = outputs.Room(Limits(output=1000, outputs_total=2500))
    for _ in range(5):
        assert [item.text for item in room.clean([stream("x" * 500)])] == ["x" * 500]
    assert room.left == 0


def test_halves_of_characters_are_replaced():
    (kept,), _ = outputs.clean([stream("a\ud800b")], 100)
    assert kept.text == "a?b"
    assert outputs.error("E", "\udfff", ["\ud800"]).traceback == ["?"]


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("<script>alert(1)</script>", "< script>alert(1)< /script>"),
        ("a<b and $x<y$, 1<2", "a< b and $x< y$, 1<2"),
        ("<!-- --> <?php", "< !-- --> < ?php"),
        ("<details><summary>Hint</summary>x</details>",) * 2,
        ("<details ontoggle=x open><br\tx>", "< details ontoggle=x open>< br\tx>"),
        ("[x](java&#115;cript:1) &lt;b", "[x](java& #115;cript:1) & lt;b"),
        ("http://x.y/?a=1&b=2", "http://x.y/?a=1&b=2"),
        ("$\\href{javascript:1}{x}$", "$\\mathrm{javascript:1}{x}$"),
    ],
)
def test_tags_in_the_text_of_students(given, made):
    assert disarm.disarm(given) == made
