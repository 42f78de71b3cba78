"""What a student has done lights up, from one local file, whatever that holds."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from made_course import course

from course_lib import progress as noted
from course_lib.exercises import record
from course_lib.seeds import set_seed
from course_lib.show import course_map
from course_tools.classroom import progress

ROOT = Path(__file__).resolve().parents[2]
LECTURE = "02_simple_rnn"


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "progress.jsonl"
    monkeypatch.setenv(noted.FILE, str(path))
    monkeypatch.delenv("COURSE_QUIET", raising=False)
    return path


def state_of(notebook: str) -> progress.Lecture:
    found = {lecture.notebook: lecture for lecture in progress.read(ROOT).lectures}
    return found[notebook]


@pytest.mark.parametrize("place", ["/home/a/{}.ipynb", "C:\\course\\{}.ipynb"])
def test_the_first_cell_of_a_lecture_opens_it_once(file, monkeypatch, place):
    assert state_of(LECTURE).state == "open"
    monkeypatch.setenv(noted.NOTEBOOK, place.format(LECTURE))
    set_seed()
    set_seed()
    assert [entry["opened"] for entry in noted.entries(file)] == [LECTURE]
    assert state_of(LECTURE).state == "begun"
    assert oct(file.stat().st_mode & 0o777) == "0o600"


def test_a_lecture_is_done_when_every_exercise_passes(file):
    noted.note(file, {"opened": LECTURE})
    own = progress.checkable(ROOT / f"notebooks/{LECTURE}.ipynb")
    assert len(own) >= 4
    for number in sorted(own):
        assert state_of(LECTURE).state == "begun"
        record.passed("simple_rnn", number)
    assert state_of(LECTURE).state == "done"
    assert (state_of(LECTURE).passed, state_of(LECTURE).exercises) == (len(own),) * 2


def test_every_lecture_of_the_map_is_there(file):
    read = [lecture.notebook for lecture in progress.read(ROOT).lectures]
    assert read == [lecture.notebook for lecture in course_map.lectures()]


def test_the_last_check_of_a_set_counts(file):
    progress.note_check(ROOT, "ps2_gradients", ["a"], 9)
    progress.note_check(ROOT, "ps1_rnn", ["step"], 15)
    progress.note_check(ROOT, "ps1_rnn", ["step", "loss"], 15)
    sets = progress.read(ROOT).sets
    assert sets == (
        progress.Checked("ps1_rnn", 2, 15),
        progress.Checked("ps2_gradients", 1, 9),
    )


ODD = (
    b'[]\n7\n{"set": 1}\n{"opened": ["x"]}\n{"passing": 3, "of": "x", "set": ""}\n\xff{'
)


def test_odd_lines_disturb_nobody(file):
    file.write_bytes(ODD)
    noted.note(file, {"opened": LECTURE})
    assert state_of(LECTURE).state == "begun"
    assert progress.read(ROOT).sets == ()


def test_the_text_and_the_page(file, tmp_path):
    noted.note(file, {"opened": LECTURE})
    progress.note_check(ROOT, "<b>ps1", [], 15)
    found = progress.read(ROOT)
    text = progress.as_text(found, coloured=False)
    assert "  ◐ 02  The simple RNN" in text
    assert "\x1b[33m  ◐ 02" in progress.as_text(found, coloured=True)
    assert text.splitlines()[-1].endswith("lectures done, 1 begun.")
    legend = "● done  ◐ begun  ○ to come      next: 01 Sequences"
    assert text.splitlines()[-2] == legend
    assert max(map(len, text.splitlines())) <= 80
    progress.write_page(found, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert '<td>02 The simple RNN</td><td class="begun">begun</td>' in page
    assert "<b>" not in page
    assert "http" not in page


def test_a_place_for_the_page_that_is_none_is_named_as_it_was_given(file, tmp_path):
    (tmp_path / "folder").mkdir()
    for name in ("folder", "none/page.html"):
        target = str(tmp_path / name)
        done = course("progress", "--to", target)
        assert done.code == 1
        assert done.errors.endswith(f": {target}\n")
        assert len(done.errors.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_what_cannot_be_read_or_written_harms_nobody(file):
    """A folder in the place of the file: as unreadable as can be, for root as well."""
    file.mkdir()
    noted.note(file, {"opened": LECTURE})
    record.passed("simple_rnn", 1)
    assert state_of(LECTURE).state == "open"
    assert course("progress").code == 0


def test_the_map_ticks_what_was_begun(file):
    def ticks() -> int:
        fig, _ = course_map.draw_map()
        return sum(text.get_text() == "✓" for text in fig.axes[0].texts)

    assert ticks() == 0
    noted.note(file, {"opened": LECTURE})
    assert ticks() == 1


OPENS = """
import os
from course_lib import progress
for number in range(40):
    os.environ[progress.NOTEBOOK] = f"{os.getpid()}-{number}.ipynb"
    progress.opened()
"""


def test_two_notebooks_at_a_time_lose_nothing(file):
    both = [subprocess.Popen([sys.executable, "-c", OPENS]) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert len({entry["opened"] for entry in noted.entries(file)}) == 80


def test_what_comes_next_is_the_first_that_was_not_opened(file):
    lectures = [lecture.notebook for lecture in progress.read(ROOT).lectures]
    for name in lectures[: lectures.index("03b_size_of_a_product")]:
        noted.note(file, {"opened": name})
    assert "next: 04 LSTM" in progress.as_text(progress.read(ROOT), coloured=False)
    for name in lectures:
        noted.note(file, {"opened": name})
    assert "next:" not in progress.as_text(progress.read(ROOT), coloured=False)


def test_the_command_reads_the_file_of_the_folder(tmp_path):
    """As a student has it: nothing configured, notes beside the course."""
    for name in ("course_tools", "course_lib"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    (tmp_path / progress.FILE).write_text(json.dumps({"opened": LECTURE}))
    env = {k: v for k, v in os.environ.items() if k != noted.FILE}
    env["PYTHONPATH"] = str(tmp_path)
    command = [sys.executable, "-P", "-m", "course_tools", "progress"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert "  ● 02  The simple RNN" in done.stdout  # without notebooks, no exercises
    assert f"This stands in {tmp_path / progress.FILE}" in done.stdout
