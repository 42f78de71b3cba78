"""A newer edition comes, and nothing that a student has written goes."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest

from course_tools.classroom import edition, finish, handout, update
from course_tools.errors import CommandError

ROOT = Path(__file__).resolve().parents[2]
PROJECT = '[project]\nname = "x"\nversion = "2.{}.0"\n'


def notebook(*sources: str, run: int = 0) -> str:
    cells = [
        {
            "cell_type": "code",
            "source": source,
            "execution_count": run or None,
            "metadata": {"scrolled": True} if run else {},
            "outputs": [{"output_type": "stream", "text": "42"}] * run,
        }
        for source in sources
    ]
    return json.dumps({"cells": cells, "metadata": {"run": run}, "nbformat": 4})


def make(folder: Path, minor: int, **files: str | None) -> Path:
    """A small hand-out; names are written with __ for a slash."""
    texts = {"course": "#!", "README.md": "Read", "pyproject.toml": PROJECT}
    texts["pyproject.toml"] = PROJECT.format(minor)
    texts |= {
        "notebooks/rnn.ipynb": notebook("one"),
        "notebooks/lstm.ipynb": notebook("two"),
        "course_lib/seeds.py": "SEED = 1\n",
        "course_tools/classroom/finish.py": "",
    }
    texts |= {name.replace("__", "/"): text for name, text in files.items()}
    found = {path: text.encode() for path, text in texts.items() if text is not None}
    made = edition.of(found, f"2.{minor}.0", f"2027-0{minor + 1}-01T00:00:00+00:00")
    found[edition.RECORD] = made.as_json().encode()
    handout.write_folder(found, folder)
    return folder


NEW = {
    "notebooks__rnn.ipynb": notebook("one, corrected"),
    "notebooks__lstm.ipynb": notebook("two, corrected"),
    "notebooks__gru.ipynb": notebook("three"),
    "course_lib__seeds.py": None,
    "course_lib__chance.py": "SEED = 2\n",
}
A, B = "notebooks/rnn.ipynb", "notebooks/lstm.ipynb"


@pytest.fixture
def mine(tmp_path):
    return make(tmp_path / "mine", 0)


@pytest.fixture
def new(tmp_path):
    # the same keys with dots cannot be keywords, hence the dictionary
    return make(tmp_path / "new", 1, **NEW)


def files_in(folder: Path) -> dict[str, bytes]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def write(folder: Path, path: str, text: str) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text)


def test_an_untouched_course_becomes_the_new_one(mine, new):
    said = update.update(mine, new)
    assert files_in(mine) == files_in(new)
    assert said.splitlines()[0].startswith("Now edition 2.1.0 2027-02-01 (")
    assert "files 3 replaced, 2 new, 1 gone." in said
    assert "there is nothing new" in update.update(mine, new)


def test_what_a_student_wrote_stays_and_what_was_only_run_is_replaced(mine, new):
    write(mine, A, notebook("my own answer", run=3))
    write(mine, B, notebook("two", run=2))
    write(mine, "notebooks/notes.txt", "remember")
    write(mine, "course_lib/seeds.py", "SEED = 7  # luckier\n")
    said = update.update(mine, new)
    after = files_in(mine)
    assert after[A].decode() == notebook("my own answer", run=3)
    assert after["notebooks/rnn.new.ipynb"] == files_in(new)[A]
    assert after[B] == files_in(new)[B]
    assert after["notebooks/notes.txt"] == b"remember"
    assert after["course_lib/seeds.py"] == b"SEED = 7  # luckier\n"
    assert "  notebooks/rnn.ipynb  (new: rnn.new.ipynb)" in said.splitlines()
    assert "lstm" not in said
    assert said.splitlines()[-1] == "  course_lib/seeds.py"
    assert len(said.splitlines()) == 5


def test_a_notebook_that_is_the_same_in_both_keeps_the_outputs_of_a_run(mine, tmp_path):
    same = make(tmp_path / "same", 1)
    write(mine, A, notebook("one", run=2))
    write(mine, B, notebook("my own"))
    said = update.update(mine, same)
    assert (mine / A).read_text() == notebook("one", run=2)
    assert (mine / B).read_text() == notebook("my own")
    assert "rnn" not in said
    assert "lstm" not in said


def test_the_file_beside_is_replaced_by_a_later_edition_unless_it_was_used(
    mine, new, tmp_path
):
    write(mine, A, notebook("my own answer"))
    write(mine, B, notebook("mine, too"))
    update.update(mine, new)
    write(mine, "notebooks/lstm.new.ipynb", notebook("two, corrected, and solved"))
    later = {"notebooks__rnn.ipynb": notebook("1"), "notebooks__lstm.ipynb": "{}"}
    third = make(tmp_path / "third", 2, **(NEW | later))
    update.update(mine, third)
    after = files_in(mine)
    assert after["notebooks/rnn.new.ipynb"] == files_in(third)[A]
    assert b"solved" in after["notebooks/lstm.new.ipynb"]
    assert after["notebooks/lstm.new2.ipynb"] == b"{}"
    assert "there is nothing new" in update.update(mine, third)


def test_an_own_file_where_a_new_one_belongs_stays(mine, new):
    write(mine, "notebooks/gru.ipynb", notebook("my third"))
    (mine / B).unlink()
    (mine / B).symlink_to(mine / "README.md")
    update.update(mine, new)
    assert (mine / "notebooks/gru.ipynb").read_text() == notebook("my third")
    assert (mine / B).is_symlink()
    assert (mine / "README.md").read_text() == "Read"
    assert (mine / "notebooks/lstm.new.ipynb").read_text() == NEW[B.replace("/", "__")]


def test_windows_line_ends_are_no_work(mine, new):
    write(mine, "course_lib/seeds.py", "SEED = 1\r\n")
    update.update(mine, new)
    assert not (mine / "course_lib/seeds.py").exists()


def test_without_a_record_everything_that_differs_is_kept(mine, new):
    (mine / edition.RECORD).unlink()
    update.update(mine, new)
    assert (mine / A).read_text() == notebook("one")
    assert (mine / "notebooks/rnn.new.ipynb").is_file()


def test_from_a_zip_file_and_from_a_clone(mine, new, tmp_path):
    other = shutil.copytree(mine, tmp_path / "other")
    contents = files_in(new)
    handout.write_zip(contents, tmp_path / "course.zip", "course-2.1")
    update.update(mine, tmp_path / "course.zip")
    assert files_in(mine) == contents
    for path in (".git", "solutions"):
        write(new, f"{path}/secret.ipynb", "{}")
    update.update(other, new)  # a clone: what students get of it
    for name in (edition.RECORD, "README.md"):  # made anew for students
        contents.pop(name)
    assert contents.items() <= files_in(other).items()
    assert not (other / "solutions").exists()


def git(folder: Path, *words: str) -> None:
    person = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *person, *words], cwd=folder, check=True)


@pytest.mark.parametrize("python", ["3.11.4 or newer", "before 3.11.4"])
def test_in_a_clone_it_brings_what_was_published_since(python, tmp_path, monkeypatch):
    if python == "before 3.11.4":  # Debian 12's: its tarfile knows no filters
        monkeypatch.delattr(tarfile, "data_filter")
        monkeypatch.setattr(
            tarfile.TarFile, "extractall", lambda self, path: plainly(self, path)
        )
    (origin := tmp_path / "origin").mkdir()
    shutil.copytree(make(tmp_path / "a", 0), origin, dirs_exist_ok=True)
    (origin / edition.RECORD).unlink()
    write(origin, "solutions/x/x.ipynb", "old")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        git(origin, *words)
    git(tmp_path, "clone", "-q", str(origin), "mine")
    write(mine := tmp_path / "mine", A, notebook("my own answer"))
    write(mine, B, notebook("two", run=1))
    write(origin, A, notebook("one, corrected"))
    write(origin, B, notebook("two, corrected"))
    write(origin, "solutions/x/x.ipynb", "new")
    write(origin, "notebooks/gru.ipynb", notebook("three"))
    git(origin, "add", "notebooks/gru.ipynb")
    git(origin, "commit", "-qam", "two")
    said = update.update(mine, None)
    assert (mine / A).read_text() == notebook("my own answer")
    assert (mine / "notebooks/rnn.new.ipynb").read_text() == notebook("one, corrected")
    assert (mine / B).read_text() == notebook("two, corrected")
    assert (mine / "solutions/x/x.ipynb").read_text() == "new"
    assert "rnn.new.ipynb" in said
    # whoever hands this clone out gives new lectures away, too, and no drafts
    write(mine, "notebooks/draft.ipynb", notebook("not yet"))
    given = handout.contents(mine)
    assert "notebooks/gru.ipynb" in given
    assert not {"notebooks/draft.ipynb", "solutions/x/x.ipynb"} & set(given)
    assert handout.unknown_to_git(mine) == [
        "not in git, so not in it: notebooks/draft.ipynb, notebooks/rnn.new.ipynb"
    ]


def plainly(archive: tarfile.TarFile, folder: Path) -> None:
    for member in archive:
        archive.extract(member, folder)


def damaged(folder: Path) -> None:
    write(folder, A, notebook("torn"))


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (damaged, r"is not whole \(notebooks/rnn.ipynb\); get it again"),
        (lambda folder: shutil.rmtree(folder / "course_lib"), "is not whole"),
        (lambda folder: (folder / edition.RECORD).write_text("{}"), None),
        (
            lambda folder: [p.unlink() for p in folder.glob("*") if p.is_file()],
            "no cour",
        ),
    ],
)
def test_a_source_that_is_not_whole_changes_nothing(mine, new, spoil, line):
    before = files_in(mine)
    spoil(new)
    if line is None:  # a folder without a record is read as it is
        update.update(mine, new)
        return
    with pytest.raises(CommandError, match=line):
        update.update(mine, new)
    assert files_in(mine) == before


def test_an_older_edition_is_refused_and_no_source_is_asked_for(mine, new, tmp_path):
    with pytest.raises(CommandError, match=r"older than yours, 2.1.0 .*nothing was ch"):
        update.update(new, mine)
    with pytest.raises(CommandError, match="which edition"):
        update.update(mine, None)
    (tmp_path / "x.zip").write_text("PK nothing")
    with pytest.raises(CommandError, match="is no zip file"):
        update.update(mine, tmp_path / "x.zip")


def zipped(path: Path, **entries: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in entries.items():
            archive.writestr(name.replace("__", "/"), text)
    return path


@pytest.mark.parametrize(
    ("entries", "line"),
    [
        ({"hello__a.txt": "x"}, r"x.zip holds no course$"),
        ({}, r"x.zip holds no course$"),
        ({"a": "x", "a__b": "x"}, r"x.zip cannot be unpacked: .*; nothing was changed"),
    ],
)
def test_a_zip_file_that_is_none_of_the_course_is_named(mine, tmp_path, entries, line):
    before = files_in(mine)
    with pytest.raises(CommandError, match=line) as raised:
        update.update(mine, zipped(tmp_path / "x.zip", **entries))
    assert tempfile.gettempdir() + "/tmp" not in str(raised.value)
    assert files_in(mine) == before


def test_a_zip_file_that_a_mac_has_packed_again(mine, new, tmp_path):
    handout.write_zip(files_in(new), tmp_path / "course.zip", "course")
    with zipfile.ZipFile(tmp_path / "course.zip", "a") as archive:
        archive.writestr("__MACOSX/course/._README.md", b"Mac")
    update.update(mine, tmp_path / "course.zip")
    assert files_in(mine) == files_in(new)


def test_a_file_where_the_new_edition_has_a_folder_is_named_before_anything(
    mine, tmp_path
):
    later = make(tmp_path / "later", 1, course_lib__extra__deep__x=" ")
    write(mine, "course_lib/extra", "mine")
    before = files_in(mine)
    with pytest.raises(CommandError, match=r"a folder course_lib/extra, .*rename"):
        update.update(mine, later)
    assert files_in(mine) == before
    (mine / "course_lib/extra").rename(mine / "course_lib/my_extra")
    update.update(mine, later)
    assert (mine / "course_lib/extra/deep/x").exists()


def test_a_full_disk_changes_nothing_and_is_left_no_fuller(mine, new, monkeypatch):
    before, real = files_in(mine), update.write

    def full(place: Path, data: bytes, path: str) -> None:
        if "seeds" in str(place) or "gru" in str(place):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(place))
        real(place, data, path)

    monkeypatch.setattr(update, "write", full)
    with pytest.raises(CommandError, match="No space left on device; nothing was ch"):
        update.update(mine, new)
    assert files_in(mine) == before
    assert not (mine / finish.FOLDER).exists()


def test_what_stops_an_update_is_named_and_the_next_one_goes_on(mine, new, monkeypatch):
    real = os.replace

    def closed(source, target) -> None:
        if str(target) == str(mine / B):
            raise PermissionError(13, "Permission denied", str(source), None, target)
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", closed)
        line = r"stopped at .*lstm.ipynb: Permission denied; put that right, and the n"
        with pytest.raises(CommandError, match=line):
            update.update(mine, new)
    assert "there is nothing new" in update.update(mine, new)
    assert files_in(mine) == files_in(new)


# ---- interrupted anywhere ----

OWN = {
    A: notebook("my own answer", run=3),
    "notebooks/notes.txt": "remember",
    "course_lib/seeds.py": "SEED = 7  # luckier\n",
}
STEP = """
import os, sys
from pathlib import Path
from course_tools.classroom import update
left = int(sys.argv[3])
def count(event, arguments):
    global left
    if event in ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod") or (
        event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_CREAT
    ):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), 9)
sys.addaudithook(count)
update.update(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def killed(mine: Path, new: Path, step: int) -> bool:
    """Update in another process, which is killed before its n-th change on disk."""
    command = [sys.executable, "-P", "-c", STEP, str(mine), str(new), str(step)]
    code = subprocess.run(command, check=False).returncode
    assert code in (0, -signal.SIGKILL)
    return code != 0


def test_killed_anywhere_nothing_is_lost_and_the_next_start_finishes(new, tmp_path):
    begun = make(tmp_path / "begun", 0)
    for path, text in OWN.items():
        write(begun, path, text)
    whole = shutil.copytree(begun, tmp_path / "whole")
    update.update(whole, new)
    expected = files_in(whole)
    step, seen = 1, 0
    while killed(mine := shutil.copytree(begun, tmp_path / f"k{step}"), new, step):
        for path, text in OWN.items():
            assert (mine / path).read_text() == text, (step, path)
        if step % 2 and (rest := mine / finish.FOLDER / "finish.py").exists():
            # what the launcher does at the next start, whatever that is for
            subprocess.run([sys.executable, str(rest)], check=True)
            assert not (mine / finish.FOLDER).exists()
            seen += 1
        update.update(mine, new)
        assert files_in(mine) == expected, step
        shutil.rmtree(mine)
        step += 1
    assert step > 30
    assert seen > 5


def test_what_is_written_after_the_interruption_stays_too(mine, new):
    plan = update.make_plan(
        mine, *[update.read(new, False)[0]], update.known_of(mine, edition.read(mine))
    )
    update.stage(mine, plan, *update.read(new, False))
    write(mine, A, notebook("written meanwhile"))
    write(mine, "course_lib/seeds.py", "SEED = 9\n")
    finish.finish(mine / finish.FOLDER)
    assert (mine / A).read_text() == notebook("written meanwhile")
    assert (mine / "notebooks/rnn.new.ipynb").read_bytes() == files_in(new)[A]
    assert (mine / "course_lib/seeds.py").read_text() == "SEED = 9\n"


def test_the_launcher_finishes_what_was_interrupted(tmp_path):
    shutil.copy(ROOT / "course", tmp_path)
    shutil.copytree(ROOT / "course_tools", tmp_path / "course_tools")
    (tmp_path / ".update" / "new").mkdir(parents=True)
    shutil.copy(finish.__file__, tmp_path / ".update")
    write(tmp_path, ".update/new/x.txt", "new")
    write(tmp_path, ".update/new/rnn.new.ipynb", "new")
    moves = [
        {"target": name, "expected": None, "kind": "put"}
        for name in ("x.txt", "rnn.new.ipynb")
    ]
    write(tmp_path, ".update/moves.json", json.dumps(moves))
    command = [sys.executable, "course", "--help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    finished, beside = done.stderr.split(". ")
    assert finished == "The update that was interrupted is finished"
    assert beside.endswith("the new ones lie beside them: rnn.new.ipynb\n")
    assert (tmp_path / "x.txt").read_text() == "new"
    assert not (tmp_path / ".update").exists()


def rest_of(mine: Path) -> subprocess.CompletedProcess[str]:
    """What the launcher runs at the next start."""
    rest = [sys.executable, str(mine / finish.FOLDER / "finish.py")]
    return subprocess.run(rest, capture_output=True, text=True, check=False)


def test_what_is_left_says_in_one_line_how_far_the_update_was(mine, new):
    before = files_in(mine)
    found, edition_ = update.read(new, False)
    known = update.known_of(mine, edition.read(mine))
    update.stage(mine, update.make_plan(mine, found, known), found, edition_)
    moves = mine / finish.FOLDER / finish.MOVES
    moves.write_text("[{}]")  # damaged
    done = rest_of(mine)
    assert done.returncode == 1
    assert done.stderr.startswith("the update cannot go on: ")
    assert len(done.stderr.splitlines()) == 1
    moves.unlink()  # killed just before it was written
    done = rest_of(mine)
    assert done.returncode == 0
    assert "had changed nothing yet: give it again" in done.stderr
    assert files_in(mine) == before
