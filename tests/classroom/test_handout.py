"""The students' edition: nothing of the solutions in it, and it works without them."""

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from course_tools.classroom import edition, handout
from course_tools.cli import jupyter, parts
from course_tools.errors import CommandError

ROOT = Path(__file__).resolve().parents[2]
SETS = sorted(path.name for path in (ROOT / "solutions").iterdir())
LONG = 30  # characters of a line that says something; a shorter one may be anybody's
HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS\n(.*?)### END HIDDEN TESTS", re.DOTALL)
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    target = tmp_path_factory.mktemp("handed") / "out"
    handout.make(ROOT, target, as_zip=False)
    return target


def files_in(folder: Path) -> dict[str, bytes]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def strings(value) -> Iterator[str]:
    """All texts in a notebook: sources, outputs, metadata."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        if all(isinstance(line, str) for line in value):
            yield "".join(value)
        else:
            for inner in value:
                yield from strings(inner)


def lines_in(files: dict[str, bytes]) -> list[str]:
    """Every line of every file, without its indentation."""
    whole = []
    for path, data in files.items():
        text = data.decode("utf-8", "replace")
        whole.append("\n".join(strings(json.loads(data))) if "ipynb" in path else text)
    lines = (line.strip() for line in "\n".join(whole).splitlines())
    return [line for line in lines if line]


def blocks(name: str, pattern: re.Pattern) -> list[list[str]]:
    """The lines between marks in the instructor's notebook of a set."""
    cells = json.loads((ROOT / f"solutions/{name}/{name}.ipynb").read_text())["cells"]
    found = [block for c in cells for block in pattern.findall("".join(c["source"]))]
    return [[x.strip() for x in block.splitlines() if x.strip()] for block in found]


def runs(lines: list[str], length: int) -> set[str]:
    """All lines that follow each other, if together they say something."""
    starts = range(len(lines) - length + 1)
    found = ("\n".join(lines[start : start + length]) for start in starts)
    return {run for run in found if len(run) >= LONG}


def leaks(name: str, handed_out: list[str]) -> set[str]:
    """What of a set's secrets stands among some lines.

    A long line of a hidden test is one, so are any two of its lines on end. Lectures
    teach what solutions do, with the same names: there, three lines on end are one.
    """
    stub = lines_in({"ipynb": (ROOT / f"assignments/{name}/{name}.ipynb").read_bytes()})
    secret = {length: set() for length in (1, 2, 3)}
    for block in blocks(name, HIDDEN):
        secret[1] |= runs(block, 1)
        secret[2] |= runs(block, 2)
    for block in blocks(name, SOLUTION):
        secret[3] |= runs(block, 3) - runs(stub, 3)
    assert all(secret.values())
    return set().union(*(secret[n] & runs(handed_out, n) for n in secret))


def test_no_line_of_a_hidden_test_or_solution_is_handed_out(folder):
    files = {n: d for n, d in files_in(folder).items() if not n.endswith(".png")}
    handed_out = [line[:500] for line in lines_in(files)]  # a picture is one line
    assert len(SETS) >= 8
    assert {name: found for name in SETS if (found := leaks(name, handed_out))} == {}


@pytest.mark.parametrize("name", SETS)
def test_a_leak_would_be_noticed(name):
    line = next(x for block in blocks(name, HIDDEN) for x in block if len(x) >= LONG)
    assert leaks(name, ["x", line, "y"]) == {line}
    solved = max(blocks(name, SOLUTION), key=len)
    assert leaks(name, ["x", *solved, "y"])


def test_neither_solutions_nor_banks_nor_marks_are_in_it(folder):
    names = set(files_in(folder))
    tops = {name.split("/")[0] for name in names}
    assert not tops & {"solutions", "tests", "benchmarks", "gradebook.db", ".git"}
    assert {f"assignments/{name}/{name}.ipynb" for name in SETS} <= names
    size = sum(map(len, files_in(folder).values()))
    listed = [ROOT / path for path in edition.paths_in(ROOT)]
    assert size < 0.9 * sum(path.stat().st_size for path in listed)


def test_every_link_of_its_readme_leads_somewhere(folder):
    text = (folder / "README.md").read_text()
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert len(links) > 20
    assert [link for link in links if not (folder / link).exists()] == []
    assert "solutions/" not in text


def test_folder_and_zip_hold_the_same_bytes_every_time(folder, tmp_path):
    for name in ("one", "two"):
        handout.make(ROOT, tmp_path / name / "course", as_zip=True)
    one, two = ((tmp_path / n / "course.zip").read_bytes() for n in ("one", "two"))
    assert one == two
    with zipfile.ZipFile(tmp_path / "one" / "course.zip") as archive:
        packed = {n.partition("/")[2]: archive.read(n) for n in archive.namelist()}
        mode = archive.getinfo("course/course").external_attr >> 16
    assert packed == files_in(folder)
    assert mode & 0o777 == os.stat(folder / "course").st_mode & 0o777 == 0o755


def test_it_knows_its_files_and_questions(folder):
    own = edition.read(folder)
    found = files_in(folder)
    del found[edition.RECORD]
    assert own == edition.of(found, own.version, own.date)
    assert own.questions["ps1_rnn"]["step"] == 5.0


def test_it_has_what_lab_and_its_installation_need(folder):
    needed = {name for part in parts.STUDENT for name in parts.FILES[part]}
    assert [name for name in needed if not (folder / name).is_file()] == []
    assert jupyter.command(folder, None, browser=False, options=[])


def test_a_place_that_is_taken_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(CommandError, match="is not empty; choose another place"):
        handout.make(ROOT, tmp_path, as_zip=False)
    with pytest.raises(CommandError, match=r"mine.txt is there already"):
        handout.make(ROOT, tmp_path / "mine.txt", as_zip=False)
    assert files_in(tmp_path) == {"mine.txt": b"mine"}


def test_what_an_instructor_has_tried_does_not_go_out():
    path = "assignments/ps1_rnn/ps1_rnn.ipynb"
    text = (ROOT / path).read_text()
    handout.require_unanswered({path: text.encode()})
    solved = text.replace("# YOUR CODE HERE", "# my own answer", 1)
    with pytest.raises(CommandError, match="not as released"):
        handout.require_unanswered({path: solved.encode()})


def test_check_works_in_it_and_misses_a_question_that_was_deleted(folder):
    path = folder / "assignments/ps1_rnn/ps1_rnn.ipynb"
    before = path.read_bytes()
    book = json.loads(before)
    ids = [c["metadata"].get("nbgrader", {}).get("grade_id") for c in book["cells"]]
    del book["cells"][ids.index("step")]
    path.write_text(json.dumps(book))
    done = subprocess.run(
        [sys.executable, "-P", "-m", "course_tools", "check", "ps1"],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    path.write_bytes(before)
    assert done.returncode == 1, done.stderr
    assert re.search(r"step +0 / 5 +missing", done.stdout), done.stdout
    assert "not attempted" in done.stdout


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="root gives it away")
def test_a_clone_that_git_does_not_read_is_refused(tmp_path, monkeypatch):
    """Root in the instructors' clone: without git's list, drafts would go out, too."""
    monkeypatch.setenv("HOME", str(tmp_path))  # where safe.directory could allow it
    clone = tmp_path / "clone"
    subprocess.run(["git", "init", "-q", clone], check=True)
    (clone / "course").write_text("#!")
    subprocess.run(["chown", "-R", "nobody", clone], check=True)
    with pytest.raises(CommandError, match=r"belongs to nobody: do this as nobody"):
        handout.make(clone, tmp_path / "out", as_zip=False)
    assert not (tmp_path / "out").exists()
