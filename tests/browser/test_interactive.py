"""Interactive parts in a real JupyterLab: a control is moved, the picture follows."""

import os

import nbformat
import pytest
from jupyter import browser_page, complaints, jupyterlab, run_all_cells
from playwright.sync_api import Page

from course_lib.coverage import NOTEBOOKS
from course_lib.programs import PROGRAMS

INTERACTIVE = [
    path
    for path in sorted(NOTEBOOKS.glob("*.ipynb"))
    if any("explore(" in c.source for c in nbformat.read(path, as_version=4).cells)
]


def picture(box) -> str:
    return box.locator("img").first.get_attribute("src")


def picture_changes(page: Page, box) -> bool:
    """Move the first control as a hand on the keyboard would, there or back."""
    before = picture(box)
    control = box.locator('.noUi-handle, select, input[type="checkbox"]').first
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        control.scroll_into_view_if_needed()
        control.focus()
        page.keyboard.press(key)
        for _ in range(20):
            page.wait_for_timeout(250)
            if picture(box) != before:
                return True
    return False


@pytest.mark.needs("chromium")
@pytest.mark.slow
@pytest.mark.skipif(
    os.environ.get("COURSE_BROWSER") != "1",
    reason="not steady yet; to run it: COURSE_BROWSER=1 ./course test",
)
@pytest.mark.parametrize("notebook", INTERACTIVE, ids=lambda path: path.stem)
def test_every_interactive_part_follows_its_controls(notebook, tmp_path):
    with (
        jupyterlab(notebook, tmp_path) as address,
        browser_page(PROGRAMS["chromium"].find(), address) as page,
    ):
        run_all_cells(page, seconds=240)
        page.wait_for_selector(".explore img", timeout=60_000)
        boxes = page.locator(".explore")
        for index in range(boxes.count()):
            assert picture_changes(page, boxes.nth(index)), f"part {index} stood still"
        assert complaints(page) == []


def test_lecture_02_is_interactive():
    assert "02_simple_rnn" in [path.stem for path in INTERACTIVE]
