"""Interactive parts as frames: which cells have one, and what each frame is called."""

import json
from pathlib import Path

import nbformat
import pytest
from nbformat import v4

from course_tools.book import frames
from course_tools.book.contents import chapters
from course_tools.book.progress import DRAWING, SEARCH, WRITTEN, Progress
from course_tools.errors import CommandError

ROOT = Path(__file__).resolve().parents[2]
TABLE = {
    "controls": [
        {"label": "step", "kind": "slider", "options": ["1", "2"], "start": 0},
        {"label": "word", "kind": "choice", "options": ["a", "b"], "start": 1},
    ],
    "files": ["000.webp", "001.webp", "002.webp", "003.webp"],
    "size": [640, 300],
}


def test_every_cell_with_controls_is_known():
    """`play` makes them, too; without it the pictures of a lecture change places."""
    cells = {
        name: [c.source for c in frames.code_with_parts(frames.read(path))]
        for name, path in ((c.name, c.path) for c in chapters(ROOT))
    }
    for name, call in (("10_transformer", "play("), ("14b_images_and_words", "play(")):
        (cell,) = [source for source in cells[name] if source.startswith(call)]
        assert frames.EXPLORE.search(cell)
    assert cells["coverage"] == []


def test_frames_that_say_the_same_name_their_state():
    own = {**TABLE, "descriptions": ["p", "q", "r", "s"]}
    assert frames.told_apart(own) == ["p", "q", "r", "s"]
    alike = {**TABLE, "descriptions": ["p", "q", "p", "q"]}
    assert frames.told_apart(alike)[2] == "p (step 2, word a)"
    assert len(set(frames.told_apart(alike))) == 4


def test_a_part_begins_at_its_start(tmp_path):
    table = {**TABLE, "descriptions": ["p", "q", "r", "s"]}
    (tmp_path / "frames.json").write_text(json.dumps(table))
    markup = frames.explorer(tmp_path, "frames/02/part-1")
    assert 'src="frames/02/part-1/001.webp" alt="q"' in markup


def lecture(folder, *sources):
    path = folder / "made_steps.ipynb"
    cells = [v4.new_code_cell(source) for source in sources]
    nbformat.write(v4.new_notebook(cells=cells), path)
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sources", "said"),
    [
        (["1 / 0", "explore(\n)"], "stops while it runs: ZeroDivisionError"),
        (["explore = int", "explore(\n)"], "shows 1 interactive part, drew 0"),
    ],
)
def test_a_lecture_that_fails_is_named(tmp_path, sources, said):
    path, begun = lecture(tmp_path, *sources), []
    with pytest.raises(CommandError, match=rf"made_steps\.ipynb {said}"):
        frames.draw_frames(path, ROOT, tmp_path, 4, lambda: begun.append(path))
    assert begun == [path]


def test_every_stage_is_told_where_there_is_no_terminal(tmp_path, capsys):
    with Progress(1, tmp_path) as tell:
        tell(DRAWING, "made_steps")
        tell(WRITTEN, "made_steps")
        tell(SEARCH, "")
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(":")[0] for line in told] == [
        "made_steps",
        "made_steps",
        "the index of the search",
    ]
