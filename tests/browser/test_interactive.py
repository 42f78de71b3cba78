"""Interactive parts in a real JupyterLab: a control is moved, the picture follows."""

import nbformat
import pytest
from browser_jupyter import (
    browser,
    complaints,
    jupyterlab,
    open_page,
    run_all_cells,
    seen,
    sessions,
)
from needed import interactive, interactive_notebook, needed_cells

from course_tools.authoring.coverage import NOTEBOOKS
from course_tools.cli.programs import PROGRAMS

INTERACTIVE = [
    path
    for path in sorted(NOTEBOOKS.glob("*.ipynb"))
    if any(map(interactive, nbformat.read(path, as_version=4).cells))
]
MODEL = "02_simple_rnn"
CONTROLS = ".noUi-handle, select"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """One JupyterLab and one browser for all: the model lecture is there as a whole,
    the others with their interactive parts and the cells that these need."""
    folder = tmp_path_factory.mktemp("lab")
    books = folder / "books"
    books.mkdir()
    for path in INTERACTIVE:
        book = interactive_notebook(path, whole=path.stem == MODEL)
        nbformat.write(book, books / path.name)
    with (
        jupyterlab(books, folder) as address,
        browser(PROGRAMS["chromium"].find()) as chromium,
    ):
        yield address, chromium


def move(page, control) -> None:
    """Move a control by one step, as a hand on the keyboard would, there or back."""
    control.click(trial=True)  # nothing is in its way, and it has come into view
    if control.evaluate("node => node.tagName") == "SELECT":
        chosen = control.evaluate("node => node.selectedIndex")
        control.select_option(index=1 if chosen == 0 else 0)
        return
    low, now, high = (
        float(control.get_attribute(f"aria-value{which}"))
        for which in ("min", "now", "max")
    )
    key = "ArrowRight" if high - now >= now - low else "ArrowLeft"

    def moved() -> bool:
        return float(control.get_attribute("aria-valuenow")) != now

    for _ in range(6):  # a dialog that opens just then may take the key
        control.focus()
        page.keyboard.press(key)
        if seen(page, moved, minutes=1):
            return
    raise TimeoutError("a slider does not obey the keyboard")


def picture_changes(page, box, control) -> bool:
    picture = box.locator("img").first
    before = picture.get_attribute("src")
    move(page, control)
    return seen(page, lambda: picture.get_attribute("src") != before, minutes=5)


@pytest.mark.needs("chromium")
@pytest.mark.slow
@pytest.mark.parametrize("notebook", INTERACTIVE, ids=lambda path: path.stem)
def test_every_interactive_part_follows_its_controls(lab, notebook):
    with open_page(*lab, notebook.name) as page:
        run_all_cells(page)
        assert complaints(page) == []
        page.wait_for_selector(".explore img")
        boxes = page.locator(".explore")
        for part in range(boxes.count()):
            box = boxes.nth(part)
            controls = box.locator(CONTROLS)
            assert 1 <= controls.count() <= 3
            still = [
                number
                for number in range(controls.count())
                if not picture_changes(page, box, controls.nth(number))
            ]
            assert still == [], f"part {part}: controls that changed nothing"
        assert complaints(page) == []
    assert sessions(lab[0]) == [], "a kernel outlives its page"


def test_the_model_lecture_is_interactive():
    assert MODEL in [path.stem for path in INTERACTIVE]


def test_needed_cells_are_those_that_names_lead_back_to():
    sources = [
        "import numpy as np",
        "slow = train()",
        "def f(x):\n    return np.sin(x)",
        "late = 1",
        "explore(f)",
        "np = None",
    ]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    cells.insert(1, nbformat.v4.new_markdown_cell("explore( is a word here"))
    kept = [cell.source for cell in needed_cells(cells, interactive)]
    assert kept == [sources[0], sources[2], sources[4]]
