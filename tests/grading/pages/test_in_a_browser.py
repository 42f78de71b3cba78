"""A feedback page in a real browser: read by everybody, with the network refused."""

import json
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_jupyter import browser, new_page
from nbformat.v4 import new_output

from course_tools.cli.programs import PROGRAMS
from course_tools.grading.pages.page_maker import Renderer, make_page
from course_tools.grading.plan.hidden_tests import MARKS

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]

MESSAGE = "rnn_step: wrong at t = 3: got 0.51, expected 0.47"
WRITTEN = r"""All of KaTeX: $\sqrt{x}\;\mathbf{W}\;\mathcal{L}\;\mathbb{R}$ and
$\mathtt{t}$
$$\left(\frac{\frac ab}{c}\right)\sum_{i=1}^n\int x\,dx\;\Bigg\{\;\boldsymbol{h}$$
$\href{javascript:alert(1)}{x}$ $\raisebox{40em}{Score: 100 / 100}$"""
# families, weights and shapes that formulas ask for, and those that are there
FONTS = """() => {
    const face = (style) => [style.fontFamily.split(",")[0].replaceAll('"', ""),
        style.fontWeight, style.fontStyle].join(" ");
    const asked = new Set();
    for (const node of document.querySelectorAll(".katex-html *")) {
        const letters = [...node.childNodes].filter((child) => child.nodeType === 3);
        if (letters.some((text) => text.data.trim())) {
            asked.add(face(getComputedStyle(node)));
        }
    }
    const there = [...document.fonts].map((font) => [font.family.replaceAll('"', ""),
        font.weight, font.style].join(" "));
    return document.fonts.ready.then(() => [[...asked], there,
        [...document.fonts].filter((font) => font.status === "error").length]);
}"""


@pytest.fixture(scope="module")
def path(tmp_path_factory, project_root) -> Path:
    """The page of a student who has some points, and an answer that waits."""
    folder = tmp_path_factory.mktemp("page")
    notebook = nbformat.read(
        project_root / "solutions" / "ps1_rnn" / "ps1_rnn.ipynb", as_version=4
    )
    scores: dict[str, dict] = {}
    graded = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade")]
    for number, cell in enumerate(graded):
        name, points = (cell.metadata.nbgrader[key] for key in ("grade_id", "points"))
        if cell.cell_type == "markdown":
            cell.source += "\n\n" + WRITTEN
            scores[name] = {"score": 0.0, "points": points, "waits": True}
            continue
        score = (points, points / 2, 0.0)[number % 3]
        scores[name] = {"score": score, "points": points}
        if score < points:
            cell.metadata["grading"] = {"public": MESSAGE}
            cell.outputs = [new_output("error", ename="", evalue="", traceback=[])]
    data = {"image/png": "iVBORw0KGgo=", "text/plain": "<Figure>"}
    table = "<table><tr><th></th><th>a</th></tr><tr><th>0</th><td>1</td></tr></table>"
    notebook.cells[3].outputs = [
        new_output("display_data", data=data),
        new_output("display_data", data={"text/html": table}),
        new_output("stream", text="\x1b[31mred\x1b[0m and plain"),
    ]
    nbformat.write(notebook, folder / "ps1_rnn.ipynb")
    request = {
        "path": str(folder / "ps1_rnn.ipynb"),
        "marks": MARKS,
        "scores": scores,
        "resources": {
            "notebook": "ps1_rnn",
            "score": sum(cell["score"] for cell in scores.values()),
            "max_score": 100.0,
            "late_penalty": 1.5,
        },
    }
    made = make_page(Renderer(), json.loads(json.dumps(request)))
    (folder / "ps1_rnn.html").write_bytes(made)
    return folder / "ps1_rnn.html"


@pytest.fixture(scope="module")
def chromium():
    with browser(PROGRAMS["chromium"].find()) as running:
        yield running


@pytest.fixture
def page(chromium, path):
    opened = new_page(chromium, 1100, 900)
    asked: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(path.as_uri())
    yield opened
    assert [url for url in asked if not url.startswith("data:")] == [path.as_uri()]
    opened.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_is_found(page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((d) => d.open = true)")
    found = Axe().run(page).response["violations"]
    told = [(v["id"], [node["html"][:120] for node in v["nodes"][:3]]) for v in found]
    assert told == []


def test_every_letter_of_a_formula_has_its_font(page):
    asked, there, broken = page.evaluate(FONTS)
    assert len(asked) >= 8
    assert set(asked) <= set(there)
    assert broken == 0


def test_each_question_leads_to_its_cell(page):
    links = page.locator("#toc td:first-child a")
    assert links.count() == 16
    for number in range(links.count()):
        target = links.nth(number).get_attribute("href")
        assert page.locator(f'a[id="{target[1:]}"]').count() == 1
    assert page.locator("#toc .badge.waits").inner_text() == "not marked yet"
    assert page.locator("#toc .badge.failed").count() == 5


def test_answers_are_open_and_the_referee_is_folded(page):
    assert page.locator("details[open]").count() == 0
    assert page.locator(".nbgrader_cell.answer pre").first.is_visible()
    locked = page.get_by_text("Locked cell of the set: referee_windows")
    assert locked.is_visible()
    assert not page.get_by_text("def torch_states").first.is_visible()


def test_what_leaves_its_cell_is_not_painted(page):
    """A formula may be raised by 40 lines, over the scores."""
    contained = """() => [...document.querySelectorAll(".cell, .nbgrader_cell")].map(
        (cell) => getComputedStyle(cell).contain)"""
    found = page.evaluate(contained)
    assert len(found) > 40
    assert set(found) == {"paint"}


def test_on_a_phone_the_reason_stands_below_its_question(page):
    page.set_viewport_size({"width": 390, "height": 844})
    row = page.locator("#toc tr.failed").first
    asked, why = row.locator("td").first.bounding_box(), row.locator(".why")
    assert MESSAGE in why.inner_text()
    told = why.bounding_box()
    assert told["y"] >= asked["y"] + asked["height"]
    assert told["x"] + told["width"] <= 390
    assert Axe().run(page).response["violations"] == []


def test_on_paper_it_is_dark_on_white(page):
    page.emulate_media(media="print", color_scheme="dark")
    colour = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(colour) == "rgb(255, 255, 255)"
    assert not page.locator(".to-top").first.is_visible()
