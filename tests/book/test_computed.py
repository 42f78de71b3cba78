"""Parts that compute in the browser: their numbers are those of Python."""

import itertools
from pathlib import Path

import nbformat
import pytest
import torch
from axe_playwright_python.sync_playwright import Axe
from browser_jupyter import browser, new_page
from nbformat import v4

from course_lib.models.gpt import GPT
from course_lib.models.privacy import epsilon
from course_tools.book import computed, frames
from course_tools.book.build import Wish, build
from course_tools.book.contents import read
from course_tools.cli.programs import PROGRAMS

ROOT = Path(__file__).resolve().parents[2]
BOTH = {"13b_private_training": computed.ACCOUNTANT, "11_pretraining": computed.SIZE}


@pytest.mark.parametrize(("lecture", "part"), BOTH.items())
def test_its_lecture_has_the_cell_once(lecture, part):
    nb = read(ROOT / "notebooks" / f"{lecture}.ipynb")
    assert [computed.part_of(cell.source) for cell in nb.cells].count(part) == 1


def test_no_pictures_are_drawn_for_it():
    nb = read(ROOT / "notebooks" / "13b_private_training.ipynb")
    assert frames.code_with_parts(nb) == []


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    root = tmp_path_factory.mktemp("course")
    (root / "notebooks").mkdir()
    cells = [
        v4.new_markdown_cell("# 2 · Parts"),
        v4.new_code_cell("explore(\n    pictures.draw_accountant,\n)"),
        v4.new_code_cell("def built(kind, layers, width, heads): ..."),
    ]
    nbformat.write(v4.new_notebook(cells=cells), root / "notebooks" / "parts.ipynb")
    build(root, Wish(root / "book", frames=0, meaning=False))
    with browser(PROGRAMS["chromium"].find()) as running:
        opened = new_page(running, 1300, 900)
        opened.goto((root / "book" / "parts.html").as_uri())
        yield opened


CHROMIUM = [pytest.mark.needs("chromium"), pytest.mark.slow]


class TestInABrowser:
    pytestmark = CHROMIUM

    def test_the_accountant_gives_the_numbers_of_python(self, page):
        grid = list(
            itertools.product(
                computed.BATCHES[::17], computed.SIGMAS[::3], computed.STEPS[::7]
            )
        )
        assert len(grid) > 200
        ours = page.evaluate("(g) => g.map((v) => courseParts.epsilon(...v))", grid)
        for (batch, sigma, steps), value in zip(grid, ours, strict=True):
            assert value == pytest.approx(epsilon(batch / 1000, sigma, steps, 1e-4))

    def test_the_sizes_are_those_of_models_that_were_built(self, page):
        grid = list(itertools.product((1, 2, 12), (64, 768), (97, 50257), (128, 1024)))
        ours = page.evaluate("(g) => g.map((v) => courseParts.gptSize(...v))", grid)
        for (layers, width, words, context), value in zip(grid, ours, strict=True):
            with torch.device("meta"):
                model = GPT(words, width, 4, layers, context)
            assert value == sum(weight.numel() for weight in model.parameters())

    @pytest.mark.parametrize("name", [computed.ACCOUNTANT, computed.SIZE])
    def test_every_control_moves_the_drawing(self, page, name):
        part = page.locator(f'[data-computed="{name}"]')
        drawing, said = part.locator("svg"), part.locator(".said")
        assert drawing.locator("text").count() >= 2
        for control in part.locator("input").all():
            before = drawing.inner_html(), said.inner_text()
            control.focus()
            page.keyboard.press("ArrowRight")
            assert drawing.inner_html() != before[0]
            assert said.inner_text() != before[1]
            assert drawing.get_attribute("aria-label") == said.inner_text()

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_no_barrier_is_found(self, page, scheme):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page).response["violations"]
        assert [(v["id"], v["nodes"][0]["html"][:120]) for v in found] == []
