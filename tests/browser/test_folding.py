"""What is to be predicted, and what is a solution, opens with a click in JupyterLab."""

import nbformat
import pytest
from browser_jupyter import browser, choose, jupyterlab, open_page
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_lib.check import PREDICTED
from course_lib.exercises.exercise import folded
from course_lib.exercises.simple_rnn import EXERCISES
from course_tools.authoring.tidy import normalise
from course_tools.cli.programs import PROGRAMS

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]


def printed(text: str, *tags: str):
    output = new_output("stream", name="stdout", text=f"{text}\n")
    return new_code_cell("1", outputs=[output], metadata={"tags": list(tags)})


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    books = folder / "books"
    books.mkdir()
    solution = new_output("display_data", data={"text/markdown": folded(EXERCISES[3])})
    cells = [
        new_markdown_cell("> **Predict first.** How many?"),
        printed(f"{PREDICTED}\nthe answer is forty-two", "predict"),
        printed("this stands open"),
        new_code_cell("exercises.solution(3)", outputs=[solution]),
    ]
    nbformat.write(normalise(new_notebook(cells=cells)), books / "book.ipynb")
    with (
        jupyterlab(books, folder) as address,
        browser(PROGRAMS["chromium"].find()) as chromium,
        open_page(address, chromium, "book.ipynb") as page,
    ):
        page.get_by_text("this stands open").wait_for()
        yield page


def test_the_answer_to_a_prediction_opens_with_a_click(page):
    answer = page.get_by_text("the answer is forty-two")
    folded_output = page.locator(".jp-OutputPlaceholder")
    assert folded_output.inner_text().strip() == PREDICTED
    assert not answer.is_visible()
    folded_output.click()
    answer.wait_for(state="visible")


def test_a_solution_opens_with_a_click_and_is_coloured(page):
    summary = page.locator("details summary")
    summary.wait_for()
    code = page.locator("details pre")
    assert not code.is_visible()
    summary.click()
    code.wait_for(state="visible")
    assert "def backward_step(" in code.inner_text()
    code.locator("span").first.wait_for()  # keywords have a colour of their own


def test_a_dialog_in_the_way_of_a_click_is_closed(page):
    """As JupyterLab opens them by itself when a server is slow to answer."""
    choose(page, "Help", "About JupyterLab")
    page.wait_for_function("document.querySelector('.jp-Dialog')")
    page.locator("details summary").click()
    assert page.evaluate("document.querySelector('.jp-Dialog')") is None
