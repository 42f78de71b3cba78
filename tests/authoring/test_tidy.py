"""Running and storing notebooks."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_tools.authoring import tidy


def cell(source, **kw):
    return new_code_cell(source, **kw)


def test_normalise_keeps_what_a_reader_needs_and_drops_the_rest():
    picture = {"image/png": "abc", "image/svg+xml": "<svg/>", "text/plain": "Figure"}
    widget = {tidy.WIDGET_VIEW: {}, "text/plain": "VBox"}
    outputs = [
        new_output("stream", name="stderr", text="warning"),
        new_output("stream", name="stdout", text="42\n"),
        new_output("display_data", data=picture),
        new_output("display_data", data=widget),
        new_output("execute_result", data={"text/plain": "7"}, execution_count=91),
    ]
    metadata = {"tags": ["C1"], "collapsed": True, "execution": {"started": "now"}}
    nb = new_notebook(
        cells=[
            new_markdown_cell("# Title"),
            cell(
                "1", outputs=outputs, execution_count=91, metadata=metadata, id="same"
            ),
            cell("2", execution_count=None),
        ],
        metadata={
            "widgets": {"state": 1},
            "language_info": {"name": "python", "version": "3"},
        },
    )
    nb = tidy.normalise(nb)
    kept = nb.cells[1].outputs
    assert [o.output_type for o in kept] == ["stream", "display_data", "execute_result"]
    assert set(kept[1].data) == {"image/png", "text/plain"}
    assert kept[2].execution_count == 1
    assert [c.execution_count for c in nb.cells[1:]] == [1, 2]
    assert nb.cells[1].metadata == {"tags": ["C1"]}
    assert nb.metadata == tidy.METADATA


def test_what_came_in_parts_is_stored_as_one():
    parts = [new_output("stream", name="stdout", text=t) for t in ("one\n", "two\n")]
    loud = new_output("stream", name="stderr", text="loud")
    picture = new_output("display_data", data={"image/png": "abc"})
    outputs = [parts[0], loud, parts[1], picture, new_output("stream", text="three\n")]
    nb = tidy.normalise(new_notebook(cells=[cell("1", outputs=outputs)]))
    texts = [output.get("text") for output in nb.cells[0].outputs]
    assert texts == ["one\ntwo\n", None, "three\n"]


def test_ids_are_kept_or_made_from_what_the_cell_says(tmp_path):
    path = tmp_path / "book.ipynb"
    nb = new_notebook(cells=[cell("1"), cell("1"), cell("2")])
    for c, name in zip(nb.cells, ["x", "x", None], strict=True):
        c.id = name
    raw = json.loads(json.dumps(nb))
    del raw["cells"][2]["id"]
    path.write_text(json.dumps(raw))
    ids = [c.id for c in tidy.load(path).cells]
    assert ids == [c.id for c in tidy.load(path).cells]
    assert ids[0] == "x"
    assert len(set(ids)) == 3


def test_paths_of_a_machine_are_found_in_text_but_not_in_pictures():
    text = new_output("stream", name="stdout", text="saved to /home/someone/x.png")
    picture = new_output("display_data", data={"image/png": "AA/tmp/AA"})
    nb = new_notebook(cells=[cell("1", outputs=[text, picture])])
    assert tidy.machine_paths(nb) == ["/home/someone/x.png"]


@pytest.mark.slow
def test_tidy_runs_and_stores_and_is_idempotent(tmp_path, capsys):
    path = tmp_path / "book.ipynb"
    source = "import sys; print(6 * 7); print('loud', file=sys.stderr)"
    bar = "from course_lib.train import progress\nlist(progress(range(3), 'x'))"
    cells = [new_markdown_cell("# Title"), cell(source), cell(bar)]
    nbformat.write(new_notebook(cells=cells), path)
    assert tidy.main([str(path)]) == 0
    first = path.read_bytes()
    nb = nbformat.read(path, as_version=4)
    assert [o.text for o in nb.cells[1].outputs] == ["42\n"]
    assert nb.cells[2].outputs[0].data["text/plain"] == "[0, 1, 2]"
    assert len(nb.cells[2].outputs) == 1
    assert tidy.main([str(path)]) == 0
    assert path.read_bytes() == first


@pytest.mark.slow
def test_a_failing_cell_leaves_the_file_as_it_was(tmp_path, capsys):
    path = tmp_path / "book.ipynb"
    nbformat.write(new_notebook(cells=[cell("1 / 0")]), path)
    before = path.read_bytes()
    assert tidy.main([str(path)]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_or_broken_notebook_gets_one_line(tmp_path, capsys):
    assert tidy.main([str(tmp_path / "none.ipynb")]) == 2
    for text in ("{", "[]", '{"nbformat": 3}'):
        broken = tmp_path / "broken.ipynb"
        broken.write_text(text)
        assert tidy.main([str(broken)]) == 1
    lines = capsys.readouterr().err.strip().splitlines()
    assert "no such notebook" in lines[0]
    assert len(lines) == 4
    assert all("not a notebook of format 4" in line for line in lines[1:])
