"""The book in a real browser, opened from disk, with the network refused."""

import hashlib
import os
import random
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_jupyter import browser, new_page
from nbformat import v4

from course_tools.book.build import Wish, build
from course_tools.book.contents import PROBLEMS, chapters
from course_tools.cli.programs import PROGRAMS

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
EXPLORER = """from course_lib.show.simple_rnn import draw_rnn_steps
from course_lib.show.widgets import explore, slider"""
EXPLORE = """explore(
    draw_rnn_steps,
    web={"w": [0.5, 1.0]},
    step=slider("step", 0, 8, 5),
    w=slider("weight w", -1.5, 1.5, 0.5, step=0.1),
)"""
ALWAYS = ("00_start_here", "02_simple_rnn", "ps1_rnn")
IN_TURN = 2  # other pages, which change with the course
EVERY_PAGE = "COURSE_EVERY_PAGE"  # set it to look at all pages and all slides


def pages_to_look_at() -> list[str]:
    """Some pages, others after each change of the course; or all of them."""
    paths = {chapter.name: chapter.path for chapter in chapters(ROOT)}
    if os.environ.get(EVERY_PAGE):
        return list(paths)
    state = hashlib.sha256(b"".join(path.read_bytes() for path in paths.values()))
    rest = [name for name in paths if name not in ALWAYS]
    random.Random(state.hexdigest()).shuffle(rest)
    return [*ALWAYS, *sorted(rest[:IN_TURN])]


@pytest.fixture(scope="module")
def chromium():
    with browser(PROGRAMS["chromium"].find()) as running:
        yield running


@pytest.fixture
def page(chromium):
    """A page that notes what it asks of anybody but the disk, and what goes wrong."""
    opened = new_page(chromium, 1300, 900)
    opened.asked, opened.errors = [], []
    opened.on("request", lambda request: opened.asked.append(request.url))
    opened.on("pageerror", lambda error: opened.errors.append(str(error)))
    yield opened
    assert [url for url in opened.asked if not url.startswith(("file:", "data:"))] == []
    assert opened.errors == []
    opened.close()


@pytest.fixture(scope="module")
def moving(tmp_path_factory) -> Path:
    """A lecture of one interactive part, with its frames."""
    root = tmp_path_factory.mktemp("course")
    (root / "notebooks").mkdir()
    cells = [v4.new_markdown_cell("# 2 · Steps\n\nA page about $h_t$.")]
    cells += [v4.new_code_cell(EXPLORER), v4.new_code_cell(EXPLORE)]
    nbformat.write(v4.new_notebook(cells=cells), root / "notebooks" / "steps.ipynb")
    build(root, Wish(root / "book", frames=10, meaning=False))
    return root / "book" / "steps.html"


@pytest.mark.parametrize("name", pages_to_look_at())
def test_no_barrier_is_found(book, page, name):
    """In the dark only colours differ."""
    page.goto((book / f"{name}.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((d) => d.open = true)")
    light = Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    colours = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    dark = Axe().run(page, options=colours).response["violations"]
    told = [
        (v["id"], [node["html"][:120] for node in v["nodes"][:3]])
        for v in [*light, *dark]
    ]
    assert told == []


# what a mouse can use and a reader sees
CONTROLS = """() => {
    const all = "a[href], button, input, select, summary, [tabindex='0']";
    const controls = [...document.querySelectorAll(all)];
    const asked = { visibilityProperty: true };
    const seen = controls.filter((control) => control.checkVisibility(asked));
    seen.forEach((control, number) => { control.dataset.number = number; });
    return seen.length;
}"""


@pytest.mark.parametrize("name", ["ps1_rnn", "moving"])
def test_the_keyboard_reaches_every_control(book, moving, page, name):
    path = moving if name == "moving" else book / f"{name}.html"
    page.goto(path.as_uri())
    wanted = page.evaluate(CONTROLS)
    assert wanted > 10
    reached = set()
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.dataset.number"))
    assert {str(number) for number in range(wanted)} <= reached


def test_search_by_keyboard_leads_to_the_section(book, page):
    page.goto((book / "02_simple_rnn.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("forget gate")
    page.wait_for_selector("#results a")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "02_simple_rnn" not in url and "#" in url)
    assert "/04" in page.url or "/05" in page.url  # where the gates are


def test_a_search_in_the_whole_course_takes_less_than_50_milliseconds(book, page):
    """The quickest of five, so that a busy machine does not count."""
    page.goto((book / "02_simple_rnn.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("a")
    page.wait_for_function("!!window.courseSearch")
    timed = """(words) => Math.min(...Array.from({ length: 5 }, () => {
        const begun = performance.now();
        courseSearch(words, 8);
        return performance.now() - begun;
    }))"""
    for words in (
        "why do gradients vanish",
        "melody",
        "vanishign gradeint",
        "qqqqzzzz",
    ):
        assert page.evaluate(timed, words) < 50


def test_the_theme_is_chosen_and_kept(book, page):
    page.emulate_media(color_scheme="light")
    page.goto((book / "02_simple_rnn.html").as_uri())
    page.click("#theme")
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(21, 24, 28)"
    page.reload()
    assert page.evaluate(paper) == "rgb(21, 24, 28)"


def test_print_shows_the_text_alone(book, page):
    page.goto((book / "02_simple_rnn.html").as_uri())
    page.emulate_media(media="print")
    assert not page.is_visible("#sidebar")
    assert not page.is_visible(".bar")
    assert page.is_visible("h1")


CUT = """() => [...document.querySelectorAll(".display")]
    .filter((formula) => formula.scrollWidth > formula.clientWidth + 1).length"""


def test_a_wide_formula_gets_smaller_letters(book, page):
    page.goto((book / "03_vanishing_gradients.html").as_uri())
    page.evaluate("document.fonts.ready.then(() => 0)")
    assert page.locator(".display").count() > 10
    assert page.evaluate(CUT) == 0
    page.add_style_tag(content=".display { font-size: 1em !important; }")
    assert page.evaluate(CUT) > 0  # without it the number of (2) would be out of sight


def test_what_need_not_be_scrolled_is_no_stop_of_the_keyboard(book, page):
    page.goto((book / "02_simple_rnn.html").as_uri())
    boxes, stops = page.locator("pre, .scroll"), page.locator("pre[tabindex]")
    assert 0 < stops.count() < boxes.count() / 5


def test_an_interactive_part_moves_without_a_kernel(moving, page):
    page.goto(moving.as_uri())
    part = page.locator(".explorer")
    picture, slider = part.locator("img"), part.locator("input").first
    seen = {picture.get_attribute("src")}
    described = {picture.get_attribute("alt")}
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        seen.add(picture.get_attribute("src"))
        described.add(picture.get_attribute("alt"))
    assert len(seen) >= 3
    assert len(described) >= 3
    loaded = "(image) => image.decode().then(() => image.naturalWidth)"
    assert picture.evaluate(loaded) > 300
    assert Axe().run(page).violations_count == 0


WITH_NOTES = """() => Reveal.getSlides().map((slide, number) => [slide, number])
    .filter(([slide]) => slide.querySelector("aside.notes"))
    .map(([slide, number]) => number)"""


def test_the_speakers_notes_open_in_a_window_and_follow(book, page):
    page.goto((book / "08_attention-slides.html").as_uri())
    page.wait_for_function("Reveal.isReady()")
    numbers = page.evaluate(WITH_NOTES)
    page.evaluate(f"Reveal.slide({numbers[0]})")
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    notes = opened.value.locator(".speaker-controls-notes .value")
    seen = []
    for number in numbers[:2]:
        page.evaluate(f"Reveal.slide({number})")
        said = page.locator("section.present aside.notes").text_content()
        opened.value.wait_for_function(
            """(said) => document.querySelector(".speaker-controls-notes .value")
                ?.textContent.trim() === said""",
            arg=said.strip(),
        )
        seen.append(notes.text_content())
    assert seen[0] != seen[1]
    opened.value.close()


OVERFULL = """() => {
    const found = [];
    for (let number = 0; number < Reveal.getTotalSlides(); number++) {
        Reveal.slide(number);
        const body = Reveal.getCurrentSlide().querySelector(".body");
        const formulas = [...body.querySelectorAll(".display")];
        const over = Math.max(body.scrollHeight - body.clientHeight,
            ...formulas.map((formula) => formula.scrollWidth - formula.clientWidth));
        if (over > 2) found.push([number, over, body.innerText.slice(0, 60)]);
    }
    return found;
}"""


def decks() -> list[str]:
    if not os.environ.get(EVERY_PAGE):
        return ["02_simple_rnn", "08_attention"]
    lectures = [c for c in chapters(ROOT) if c.part != PROBLEMS]
    return [c.name for c in lectures if c.path.suffix == ".ipynb"]


@pytest.mark.parametrize("name", decks())
def test_every_slide_fits(book, page, name):
    page.goto((book / f"{name}-slides.html").as_uri())
    page.wait_for_function("Reveal.isReady()")
    assert page.evaluate("Reveal.getTotalSlides()") > 10
    assert page.evaluate(OVERFULL) == []
