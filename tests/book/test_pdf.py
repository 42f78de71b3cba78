"""A lecture and a problem set as PDF."""

import argparse
import re

import nbformat
import pytest
from nbformat import v4

from course_tools.book import command, pdf
from course_tools.cli.programs import PROGRAMS
from course_tools.errors import CommandError


@pytest.fixture
def root(tmp_path):
    """A course with one lecture and one problem set."""
    cells = [v4.new_markdown_cell("# 2 · Steps\n\nA page about $h_t$.")]
    cells.append(v4.new_code_cell("x", outputs=[v4.new_output("stream", text="7\n")]))
    for path in ("notebooks/02_steps", "assignments/ps1_rnn/ps1_rnn"):
        (tmp_path / path).parent.mkdir(parents=True)
        nbformat.write(v4.new_notebook(cells=cells), tmp_path / f"{path}.ipynb")
    return tmp_path


def ask(*words):
    parser = argparse.ArgumentParser()
    command.book_arguments(parser)
    return parser.parse_args(words)


@pytest.mark.needs("chromium")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["02", "ps1"])
def test_a_page_is_printed(root, name, capsys):
    to = root / "paper"
    chromium = PROGRAMS["chromium"].find()
    arguments = ask("--pdf", name, "--to", str(to))
    assert command.run_book(arguments, root, 1, chromium) == 0
    (made,) = to.iterdir()
    assert made.suffix == ".pdf"
    data = made.read_bytes()
    assert data.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", data)) == 1
    assert b"KaTeX" in data  # its formula has its font
    assert str(made) in capsys.readouterr().out
    # a book may still be written there
    command.require_own_folder(to)


def test_without_chromium_there_is_one_clear_line(root):
    with pytest.raises(CommandError, match="printed by Chromium, which is not here"):
        command.run_book(ask("--pdf", "02"), root, 1, None)


def test_a_browser_that_fails_is_told(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("x")
    with pytest.raises(CommandError, match=r"cannot print page\.html"):
        pdf.print_page("/bin/false", page, tmp_path / "page.pdf")
    with pytest.raises(CommandError, match=r"wrote no PDF of page\.html"):
        pdf.print_page("/bin/true", page, tmp_path / "page.pdf")
