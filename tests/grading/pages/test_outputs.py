"""What cells show: nothing that runs, nothing endless, always text."""

import random
import re
from html.parser import HTMLParser

import pytest
from nbformat import v4
from pace import usual_seconds

from course_tools.grading.bridge.shown import only_text
from course_tools.grading.limits import OUTPUTS, RICH_CHARACTERS, Limits
from course_tools.grading.pages import html, outputs
from course_tools.grading.pages.html import LISTED_TAGS, clean_html

TREE = "<ul><li>" * 1_100  # all are open: some ten milliseconds
TABLE = (
    '<table border="1" class="dataframe">\n<tr style="text-align: right;">'
    '<th colspan=2 title="a &amp; b">x</th></tr></table>'
)


def test_tables_keep_their_shape():
    assert clean_html(TABLE) == (
        '<table class="dataframe">\n<tbody><tr>'
        '<th colspan="2" title="a &amp; b">x</th></tr></tbody></table>'
    )


@pytest.mark.parametrize(
    "name", ["modal-backdrop in", "navbar-fixed-top", "badge passed"]
)
@pytest.mark.parametrize("tag", ["div", "span", "p", "table"])
@pytest.mark.parametrize("clean", [clean_html, html.clean_rendered])
def test_nothing_takes_the_looks_of_the_page_around_it(clean, tag, name):
    """Bootstrap's classes cover the window; ours say that a question is passed."""
    cleaned = clean(f'<{tag} class="{name}">10 of 10</{tag}>')
    assert name.split()[0] not in cleaned
    assert "10 of 10" in cleaned


def test_coloured_code_keeps_its_colours():
    code = '<div class="highlight"><span class="k">def</span></div>'
    assert html.clean_rendered(code) == code


def test_long_tables_are_tables():
    rows = "".join(f"<tr>\n<td>{n}</td><td>{n * n}</td>\n</tr>" for n in range(1000))
    cleaned = clean_html(f"<div><table>{rows}</table></div>")
    assert cleaned.count("<td>") == 2000
    assert html.open_tags(rows) == 0


@pytest.mark.parametrize(
    ("reported", "cleaned"),
    [
        ("<b>x</b><script>alert(1)</script>y", "<b>x</b>y"),
        ("<style>* {display: none}</style >y", "y"),
        ("<SCRIPT>alert(1)", ""),
        ("<img src=x onerror=alert(1)>a", "a"),
        ("<a href='javascript:1' onclick=x class=c>a</a>", "<a>a</a>"),
        ("<p title='\"><script>'>x", '<p title="&quot;&gt;&lt;script&gt;">x</p>'),
        ("<p data-class=x xclass=y class = z>", "<p></p>"),
        ("<p style='position: fixed' id=x>y</p>", "<p>y</p>"),
        ("a < b <c", "a &lt; b "),
        ("a <b c", "<pre>a &lt;b c</pre>"),
        ("<!-- <b> -->x<!doctype html><?php ?>", "x"),
        ("</div></p>x<i>", "<p></p>x<i></i>"),
        ("<b><i>x</b>y", "<b><i>x</i></b><i>y</i>"),
        ("<br/><hr><br>", "<br><hr><br>"),
        ("&lt;script&gt; &#60;b&#62;", "&lt;script&gt; &lt;b&gt;"),
        ("$\\&#104;ref{javascript:1}{x}$", "$\\mathrm{javascript:1}{x}$"),
        ("$\\hr<!-- -->ef \\hr<img>ef", "$\\mathrm \\mathrm"),
        ("&#" + "1" * 5000, "\ufffd"),
        ("<textarea><p title='</textarea><img src=x>'>", "&lt;p title=''&gt;"),
        ("<math><mtext><mglyph><style><!--</style><img title='--&gt;<img>'>", ""),
    ],
)
def test_clean_html(reported, cleaned):
    assert clean_html(reported) == cleaned
    assert clean_html(cleaned) == cleaned


REOPENED = "<div><a><b><code><em><i><small><strong><u></div>"  # in every block again
STORMS = {
    piece: piece * (RICH_CHARACTERS // len(piece))
    for piece in (
        *("<div>", "<b><p>", "<", "<a '", '<a "', "<!--", "<script>", "</b>", "<a b="),
        *("&#", "<a title='x", "<table><tr><td>", "<b>x</b>", "<!", "<?", "&", "<a x>"),
        *("<a\n", "<ul><li>", "<i></b>", "</p><b>", "<b><table></b></table>"),
    )
}
STORMS["reopened"] = REOPENED + "<div>x</div>" * 4_000
STORMS["attributes reopened"] = (
    "<div>"
    + "".join(f"<b class='{'x' * 999}{n}'>" for n in range(20))
    + "</div>"
    + "<div>x</div>" * 2_000
)
STORMS["foreign"] = "<svg>" + "<td>" * 6_000 + "</x>" * 6_000
STORMS["attributes"] = "<p " + " ".join(f"a{n}" for n in range(8_000)) + ">"


@pytest.mark.parametrize("name", STORMS)
def test_no_storm_takes_long(name):
    assert usual_seconds(lambda: clean_html(STORMS[name])) < 1.0
    cleaned = clean_html(STORMS[name])
    assert set(re.findall(r"<\W*(\w+)", cleaned)) <= LISTED_TAGS
    assert len(cleaned) < 20 * RICH_CHARACTERS
    assert depth(cleaned) <= 2_300


class Depth(HTMLParser):
    """Counts how many tags are open at a time."""

    def __init__(self):
        super().__init__()
        self.now = self.most = 0

    def handle_starttag(self, tag, attributes):
        if tag not in ("br", "hr"):
            self.now += 1
            self.most = max(self.most, self.now)

    def handle_endtag(self, tag):
        self.now -= 1


def depth(text):
    counted = Depth()
    counted.feed(text)
    assert counted.now == 0, "a tag is not closed"
    return counted.most


PIECES = "<b> </b> <p> </p> <i>x</i> <td>x</td> <tr> </tr> <svg> </svg> <math> <mi>"
PIECES += " <table> </table> <div> </div> <li> </li> <td> </td> <select> </select> <!--"
PIECES += (
    """ --> <p#title="'> <p#title='"> " ' > <textarea> </textarea> <title> <span>"""
)
PIECES += " </span> <template> </template> <a> </a> <h1> </h1> <style> </style> x <br>"


@pytest.mark.parametrize("seed", range(20))
def test_the_parser_never_has_more_tags_open_than_are_counted(seed):
    """The count must hold for every text, else a storm could pass as calm."""
    draw = random.Random(seed)
    pieces = PIECES.replace("#", "\t").split(" ")
    for _ in range(100):
        text = "".join(draw.choices(pieces, k=draw.choice([2, 3, 5]))) * 61
        implied = 2 * text.count("<table") + 3 * len("bai")  # tbody, tr; reopened ones
        assert depth(html.CLEANER.clean(text)) <= html.open_tags(text) + implied


def display(**data):
    return {"output_type": "display_data", "data": data}


def test_what_is_too_rich_is_left_out():
    for kind in ("text/html", "text/markdown", "text/latex"):
        long = "x" * (RICH_CHARACTERS + 1)
        (kept,), _ = outputs.clean([display(**{kind: long, "text/plain": "p"})], 10**7)
        assert kept.data == {"text/plain": "p"}
        (kept,), _ = outputs.clean([display(**{kind: long})], 10**7)
        assert kept.data == {"text/plain": f"(too long to be shown: {kind})"}


def test_pictures_are_pictures():
    good = "iVBORw0KGgo=\n"
    (kept,), _ = outputs.clean([display(**{"image/png": good})], 1000)
    assert kept.data == {"image/png": good}
    assert outputs.clean([display(**{"image/png": 'AA" onload="x'})], 1000)[0] == []


def test_html_counts_as_it_came():
    """Nothing is left of a remark, and still it was read."""
    remark = display(**{"text/html": f"<!--{'x' * 593}-->", "text/plain": "p"})
    kept, left = outputs.clean([remark] * 3, 1500)
    assert (len(kept), left) == (2, None)


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
    ("written", "shown"),
    [
        ("<script>alert(1)</script>", "< script>alert(1)< /script>"),
        ("a<b and $x<y$, 1<2", "a< b and $x< y$, 1<2"),
        ("<!-- --> <?php", "< !-- --> < ?php"),
        ("<details><summary>Hint</summary>x</details>",) * 2,
        ("<details ontoggle=x open><br\tx>", "< details ontoggle=x open>< br\tx>"),
        ("[x](java&#115;cript:1) &lt;b", "[x] (java& #115;cript:1) & lt;b"),
        ("http://x.y/?a=1&b=2", "http://x.y/?a=1&b=2"),
        ("$\\href{javascript:1}{x}$", "$\\mathrm{javascript:1}{x}$"),
    ],
)
def test_tags_in_the_text_of_students(written, shown):
    assert html.disarm(written) == shown


def html_output(text):
    return {"output_type": "display_data", "data": {"text/html": text}}


def test_many_outputs_together_do_not_keep_the_parser_busy(monkeypatch):
    monkeypatch.setattr(outputs, "HTML_TOTAL", 3 * 2200 * 2200)
    room = outputs.Room(Limits())
    first, later = (
        room.clean([html_output(TREE), html_output(TREE)]) for _ in range(2)
    )
    kinds = [list(output["data"]) for output in (*first, *later)]
    assert kinds == [["text/html"], ["text/html"], ["text/html"], ["text/plain"]]


def test_a_hundred_tables_stay_tables():
    rows = "".join(f"<tr>\n<td>{n}</td><td>{n * n}</td>\n</tr>" for n in range(200))
    shown = outputs.Room(Limits()).clean([html_output(f"<table>{rows}</table>")] * 100)
    assert all("<td>7</td>" in output["data"]["text/html"] for output in shown)


@pytest.mark.parametrize("text", ["\x1b[31ma", "\x1b[", "\x1b[1", "\x1b\x1b["])
def test_colours_that_would_hold_up_nbgraders_pages_are_left_out(text):
    item = {"output_type": "stream", "text": text * 100_000}
    data = {"output_type": "display_data", "data": {"text/plain": text * 100_000}}
    for output in outputs.Room(Limits()).clean([item, data]):
        shown = output["data"]["text/plain"] if "data" in output else output["text"]
        assert shown.count("\x1b") * len(shown) <= html.COPIED_CHARACTERS


def test_a_few_colours_stay():
    item = {"output_type": "stream", "text": "\x1b[31mred\x1b[0m"}
    (output,) = outputs.Room(Limits()).clean([item])
    assert output["text"] == item["text"]


@pytest.mark.parametrize(
    "storm", ["\\begin{a}", "[", "#a\n", "- a\n", "![", "*a*", "x"]
)
def test_texts_that_would_hold_up_nbgraders_pages_become_blocks_of_code(storm):
    cells = [v4.new_markdown_cell(storm * (200_000 // len(storm))) for _ in range(3)]
    book = v4.new_notebook(cells=[v4.new_markdown_cell("# A *title*"), *cells])
    html.disarm_notebook(book)
    assert book.cells[0].source == "# A *title*"
    for cell in book.cells[1:]:
        if storm != "x":  # 200,000 letters are read in a moment
            assert all(line.startswith("    ") for line in cell.source.split("\n"))
    spent = sum(html.cost(c.source) for c in book.cells if c.source[:4] != "    ")
    assert spent <= html.MARKUP_TOTAL


def test_many_texts_together_are_bounded():
    cell = "\\begin{a}" * 150
    book = v4.new_notebook(cells=[v4.new_markdown_cell(cell) for _ in range(50)])
    html.disarm_notebook(book)
    plain = [c for c in book.cells if not c.source.startswith("    ")]
    assert 0 < len(plain) < 10


def test_of_what_a_process_reports_nothing_but_texts_is_kept():
    deep = [{"a": [{}] * 1000}] * 1000
    odd = {"output_type": "stream", "text": "hello", "name": 5, "x": deep}
    data = {"text/plain": "6", "image/png": deep, "other": "x"}
    shown = {"output_type": "execute_result", "data": data, "metadata": deep}
    error = {"output_type": "error", "ename": deep, "traceback": ["a", deep, "b"]}
    assert only_text([odd, shown, error, deep, None, "x"]) == [
        {"output_type": "stream", "text": "hello"},
        {"output_type": "execute_result", "data": {"text/plain": "6"}},
        {"output_type": "error", "traceback": ["a", "b"]},
        *[{}] * 3,
    ]
    assert len(only_text([{}] * 100_000)) == OUTPUTS + 1
