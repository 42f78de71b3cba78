"""Formulas of students on feedback pages: set, or shown as text; never more than that.

Whatever is written between dollars, the page stays small, is made soon, fetches nothing
and runs nothing.
"""

import re
from html.parser import HTMLParser

import pytest
from pace import usual_seconds

from course_tools.grading.limits import (
    FORMULA_CHARACTERS,
    FORMULAS_BYTES,
    FORMULAS_SECONDS,
)
from course_tools.grading.pages import fonts, formulas
from course_tools.grading.pages.formulas import Formulas
from course_tools.grading.pages.html import disarm
from course_tools.grading.pages.markdown import Texts
from course_tools.grading.pages.questions import question

SOURCE = '<code class="formula">'
LINKS = {
    "href": r"\href{javascript:alert(1)}{x}",
    "href-of-the-web": r"\href{http://elsewhere.invalid}{x}",
    "url": r"\url{javascript:alert(1)}",
    "picture": r"\includegraphics[alt=x]{http://elsewhere.invalid/x.png}",
    "id": r"\htmlId{top}{x}",
    "class": r"\htmlClass{badge}{x}",
    "style": r"\htmlStyle{position:fixed;background:url(//elsewhere.invalid)}{x}",
    "data": r"\htmlData{x=1}{y}",
    "defined": r"\def\x{\href}\x{javascript:alert(1)}{y}",
    "by-name": r"\csname href\endcsname{javascript:alert(1)}{y}",
    "let": r"\let\x=\href \x{javascript:alert(1)}{y}",
    "tag": r"\text{<script>alert(1)</script><img src=x onerror=alert(1)>}",
    "quote": r"\text{\" onmouseover=\"alert(1)}",
    "colour": r"\textcolor{red\"onclick=alert(1)}{x}",
    "colour-with-style": r"\color{red;position:fixed}x",
    "verbatim": r"\verb|<script>alert(1)</script>|",
    "character": r"\char`<script",
    "end-of-math": r"</math><script>alert(1)</script>",
    "annotation": r"\text{</annotation><script>alert(1)</script>}",
}
STORMS = {
    "grows-without-end": r"\def\a{\a\a}\a",
    "doubles": r"\def\a{\b\b}\def\b{\c\c}\def\c{\d\d}\def\d{\e\e}\def\e{xxxx}"
    + r"\a" * 100,
    "many-arguments": r"\newcommand{\a}[2]{#1#1#1#1#2#2#2#2}" + r"\a{\a{\a{\a{x}{y}}",
    "groups": "{" * 900 + "x" + "}" * 900,
    "half-groups": "{" * 1900,
    "powers": "x^{" * 450 + "x" + "}" * 450,
    "fractions": r"\frac{" * 220 + "1" + "}{2}" * 220,
    "roots": r"\sqrt{" * 250 + "1" + "}" * 250,
    "brackets": r"\left(" * 120 + "x" + r"\right)" * 120,
    "hats": r"\widehat{" * 180 + "x" + "}" * 180,
    "columns": r"\begin{matrix}" + "x&" * 900 + r"\end{matrix}",
    "rows": r"\begin{matrix}" + r"x\\" * 600 + r"\end{matrix}",
    "letters": "x" * FORMULA_CHARACTERS,
    "too-long": "x" * (FORMULA_CHARACTERS + 1),
    "arrows": r"\xrightarrow{a}" * 130,
    "sizes": r"\rule{9999em}{9999em}\kern-9999em\raisebox{9999em}{x}",
    "expanded": r"\expandafter" * 150 + "x",
    "half-a-character": "\ud800",
    "nothing": "\0",
}
HOSTILE = {**LINKS, **STORMS}
FULL = r"""\sqrt{x}\vec a\widehat{abc}\cancel{x}\boxed{y}\xrightarrow{abc}\color{red}z
\begin{array}{c|c}a&b\\\hline c&d\end{array}\mathbb{R}\mathcal{L}\mathbf{W}\mathit{a}
\mathfrak{g}\mathsf{s}\mathtt{t}\mathscr{F}\boldsymbol{x}\Bigg(\left(\frac{\frac ab}c
\right)\sum_i\textbf{b}\textit{i}\overbrace{x}^2"""


class Look(HTMLParser):
    """All tags and attributes; every tag that is opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.styles: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.styles += [value or "" for name, value in attrs if name == "style"]


@pytest.fixture(scope="module")
def setter():
    return Formulas()


def is_harmless(text: str) -> bool:
    look = Look(text)
    assert not look.tags & {"script", "style", "img", "a", "iframe", "annotation"}
    assert not look.attributes & {"href", "src", "id", "xlink:href"}
    assert not [name for name in look.attributes if name.startswith(("on", "data-"))]
    assert not re.search(r"fixed|absolute|url\(|expression", " ".join(look.styles))
    return True


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("display", [False, True])
def test_a_hostile_formula_does_no_harm(setter, name, display):
    setter.begin_page()
    made = setter.set(HOSTILE[name], display)
    assert is_harmless(made)
    assert len(made) < 400_000


@pytest.mark.parametrize("name", HOSTILE)
def test_nor_within_a_text_as_it_comes_to_the_page(name):
    texts = Texts()
    for text in (HOSTILE[name], disarm(HOSTILE[name])):
        made = texts.html(f"see ${text}$ and\n\n$$\n{text}\n$$\n")
        assert not re.search(r"<(script|img|iframe)|<[^>]*\s(on\w+|href|src)=", made)


@pytest.mark.parametrize("name", STORMS)
def test_no_formula_takes_long(name):
    def once():
        Formulas().set(STORMS[name], True)  # with the start of the engine

    assert usual_seconds(once) < 2.0


def test_what_katex_does_not_understand_is_shown_as_written(setter):
    for tex in (r"\frac{1}", r"\nosuch", "a & b", "<b>x</b>}", r"\def\a{\a\a}\a"):
        assert setter.set(tex).startswith(SOURCE)
    assert "&lt;b&gt;" in setter.set("<b>x</b>}")


def test_after_a_storm_the_next_formula_is_set(setter):
    for tex in STORMS.values():
        setter.begin_page()
        setter.set(tex)
        assert 'class="katex"' in setter.set("a + b")


def test_a_page_has_so_much_time_for_formulas(monkeypatch):
    setter, clock = Formulas(), iter(range(1000))
    monkeypatch.setattr(formulas.time, "process_time", lambda: float(next(clock)))
    made = [setter.set(f"x_{n}") for n in range(10)]  # each takes one second
    shown = [n for n, text in enumerate(made) if not text.startswith(SOURCE)]
    assert shown == list(range(int(FORMULAS_SECONDS)))
    setter.begin_page()
    assert not setter.set("y").startswith(SOURCE)


def test_a_page_has_so_much_room_for_formulas(setter):
    """Also for one formula again and again, which takes no time at all."""
    setter.begin_page()
    long = "x+" * 500 + "x"
    made = [setter.set(long) for _ in range(300)]
    together = sum(len(text) for text in made if not text.startswith(SOURCE))
    assert 0 < together <= FORMULAS_BYTES
    assert made[-1].startswith(SOURCE)
    texts = Texts()
    shown = [texts.html(f"${long}$") for _ in range(300)]
    assert sum(map(len, shown)) < 1.3 * FORMULAS_BYTES


def test_the_place_of_a_formula_is_no_place_in_an_attribute():
    texts = Texts()
    picture = {"a.png": {"image/png": "AAAA"}}
    for text in (
        "![a $x$ b](attachment:a.png)",
        '![a](attachment:a.png "t $x$ t")',
        '[a](https://b.c "t $\\text{ onclick=alert(1) }$ t")',
    ):
        made = texts.html(text, picture)
        assert not re.search(r"<[^>]*<", made), made
        assert "onclick=alert" not in re.sub(r'="[^"]*"', "", made)


def test_nobody_can_name_the_place_of_a_formula():
    texts = Texts()
    first = texts.html("$x$")
    assert texts.renderer.places.secret not in first
    seen = {Texts().renderer.places.secret for _ in range(10)}
    assert len(seen) == 10


def test_formulas_of_all_sorts_are_set_and_cleaning_leaves_them_alone(setter):
    setter.begin_page()
    made = setter.set(FULL, True)
    assert not made.startswith(SOURCE)
    raw = formulas.ANNOTATION.sub("", formulas.katex.set_formula(FULL, True))
    count = re.compile(r"<(\w+)")
    assert sorted(count.findall(made)) == sorted(count.findall(raw))
    assert made.count('style="') == raw.count('style="')


def test_a_page_brings_the_fonts_that_it_needs_and_no_other(setter):
    setter.begin_page()
    plain, full = setter.set("x + 1"), setter.set(FULL, True)
    assert fonts.needed(plain) == ["Main-Regular", "Math-Italic"]
    assert len(fonts.needed(full)) >= 14
    assert fonts.style(plain).count("@font-face") == 2
    assert "url(fonts" not in fonts.style(full)
    assert fonts.style("<p>no formula</p>") == ""


def test_without_an_engine_formulas_are_shown_as_written(monkeypatch):
    monkeypatch.setattr(formulas, "katex", None)
    assert Texts().html("so $a<b$") == (
        '<p>so <code class="formula">$a&lt;b$</code></p>\n'
    )


@pytest.mark.parametrize(
    ("shown", "made"),
    [
        (r"$\displaystyle x^2$", True),
        (r"$$x^2$$", True),
        ("<b>x</b>", False),
        ("$x$ and $y$", False),
    ],
)
def test_latex_that_a_cell_shows(shown, made):
    text = Texts().latex(shown)
    assert ('class="katex"' in text) is made
    assert "<b>" not in text


@pytest.mark.parametrize(
    ("scored", "message", "state", "marks"),
    [
        ({"score": 5, "points": 5}, "", "passed", "5 / 5"),
        ({"score": 2.5, "points": 5}, "m", "partly", "2.5 / 5"),
        ({"score": 0.0, "points": 5}, "m", "failed", "0 / 5"),
        ({"score": None, "points": 5}, "", "failed", "0 / 5"),
        ({"score": 0.0, "points": 5, "waits": True}, "", "waits", "– / 5"),
        ({"score": 0.0, "points": 0}, "", "passed", "0 / 0"),
        ({"score": 0.0, "points": 0}, "m", "failed", "0 / 0"),
        ({"score": 6.0, "points": 5}, "", "passed", "6 / 5"),
    ],
)
def test_a_question_in_one_word(scored, message, state, marks):
    found = question("q", scored, message)
    assert (found.state, found.marks) == (state, marks)
