"""What Moodle and Canvas pack up reaches submitted/, whatever it is called."""

import csv
import io
import stat
import subprocess
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from made_course import course, grade, make_course, released
from nbgrader.api import Gradebook
from platform_zips import answered, canvas_file, moodle_folder, pack
from square_problem import problem

from course_tools.classroom import archive, platforms
from course_tools.classroom.platforms import Sender
from course_tools.grading.pages.page_client import PageClient

SET, RIGHT = "squares", "def square(x):\n    return x * x"
WRONG = "def square(x):\n    return x + x"
LATER = (2027, 1, 16, 12, 0, 0)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A course with one set, made once; tests hand in below folders of their own."""
    return make_course(tmp_path_factory.mktemp("course"), SET, {"nb": problem()})


@pytest.fixture
def folder(made, tmp_path):
    """The same course with an empty submitted/."""
    (tmp_path / "course").mkdir()
    for name in ("source", "release", "gradebook.db", "nbgrader_config.py"):
        (tmp_path / "course" / name).symlink_to(Path(made) / name)
    return tmp_path / "course"


@pytest.fixture(scope="module")
def right(made):
    return answered(released(made, SET, "nb"), RIGHT)


@pytest.fixture(scope="module")
def wrong(made):
    return answered(released(made, SET, "nb"), WRONG)


def collect(folder, file, *words):
    return course("collect", file, *words, "--course", folder)


def submitted(folder) -> dict[str, bytes]:
    top = folder / "submitted"
    found = sorted(path for path in top.rglob("*") if path.is_file())
    named = {path.relative_to(top).as_posix(): path for path in found}
    return {n: p.read_bytes() for n, p in named.items() if not n.startswith(".coll")}


ADA, BOB = moodle_folder("Ada King", 1001), moodle_folder("Bob_Ray", 1002)


def utc(*when: int) -> bytes:
    """A time of this machine as timestamp.txt has it."""
    time = datetime(*when).astimezone(UTC)
    return time.strftime("%Y-%m-%d %H:%M:%S UTC\n").encode()


def test_moodle_with_folders_names_and_times(folder, tmp_path, right, wrong):
    file = pack(
        tmp_path / "m.zip",
        (f"{ADA}/nb.ipynb", right),
        (f"{BOB}_/nb.ipynb", wrong, LATER),  # Moodle before 4.1
        (f"{moodle_folder('Cyd Ö', 1003)}_nb.ipynb", right),  # without folders
        (ADA.replace("file", "onlinetext") + "/onlinetext.html", "<p>hello"),
    )
    done = collect(folder, file)
    assert done.code == 0, done.errors
    assert done.text.splitlines()[0] == f"{SET}: 3 collected"
    assert submitted(folder) == {
        f"ada_king_1001/{SET}/nb.ipynb": right,
        f"ada_king_1001/{SET}/timestamp.txt": utc(2027, 1, 15, 12),
        f"bob_ray_1002/{SET}/nb.ipynb": wrong,
        f"bob_ray_1002/{SET}/timestamp.txt": utc(*LATER[:4]),
        f"cyd_o_1003/{SET}/nb.ipynb": right,
        f"cyd_o_1003/{SET}/timestamp.txt": utc(2027, 1, 15, 12),
    }
    assert "onlinetext.html: typed into the platform, no file; left out" in done.text
    assert "handed in no notebook" not in done.text
    again = collect(folder, file)
    assert again.text.splitlines()[0] == f"{SET}: 0 collected, 3 already there"


def test_renamed_and_nested_notebooks_are_known_by_their_questions(
    folder, tmp_path, right, wrong
):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as packed:
        packed.writestr("hand in/my answers.ipynb", wrong)
        packed.writestr("__MACOSX/hand in/._my answers.ipynb", b"junk")
    file = pack(
        tmp_path / "m.zip",
        (f"{ADA}/handed in/.ipynb_checkpoints/nb-checkpoint.ipynb", wrong),
        (f"{ADA}/handed in/final FINAL.ipynb", right),
        (f"{ADA}/notes.pdf", b"%PDF"),
        (f"{BOB}/all.zip", inner.getvalue()),
        (f"{moodle_folder('Cyd', 3)}/broken.ipynb", b"{"),
        (f"{moodle_folder('Dan', 4)}/other.ipynb", right.replace(b"square", b"cube")),
    )
    done = collect(folder, file)
    found = submitted(folder)
    assert found[f"ada_king_1001/{SET}/nb.ipynb"] == right
    assert found[f"bob_ray_1002/{SET}/nb.ipynb"] == wrong
    assert found[f"cyd_3/{SET}/nb.ipynb"] == b"{"  # grading says what is wrong with it
    assert "Ada King: handed in/final FINAL.ipynb was taken as nb.ipynb" in done.text
    assert "Bob Ray: hand in/my answers.ipynb was taken as nb.ipynb" in done.text
    assert "notes.pdf: left out, no notebook" in done.text


def test_canvas_newest_attempt_and_late_marks(folder, tmp_path, right, wrong):
    config = folder / "gradebook.db"
    config.unlink()
    with Gradebook(f"sqlite:///{config}") as book:
        book.add_assignment(SET, duedate="2027-01-15 23:59:00 UTC")
    file = pack(
        tmp_path / "c.zip",
        (canvas_file("King, Ada", 71, 9002, "nb-1.ipynb"), right),
        (canvas_file("King, Ada", 71, 9001, "nb.ipynb"), wrong),
        (canvas_file("Ray, Bob", 72, 9003, "nb.ipynb", late=True), wrong),
        ("kingada_71_text.html", "text"),
        time=(2027, 2, 1, 9, 0, 0),  # when the archive was made, long after
    )
    done = collect(folder, file)
    assert done.code == 0, done.errors
    found = submitted(folder)
    assert found[f"kingada_71/{SET}/nb.ipynb"] == right
    assert found[f"kingada_71/{SET}/timestamp.txt"] == b"2027-01-15 23:59:00 UTC\n"
    assert found[f"raybob_72/{SET}/timestamp.txt"] == b"2027-01-15 23:59:01 UTC\n"
    assert "King" not in done.text
    assert "kingada: nb.ipynb left out, another one is newer" in done.text
    newer = (canvas_file("King, Ada", 71, 9010, "nb-2.ipynb"), wrong)
    done = collect(folder, pack(tmp_path / "d.zip", newer))
    assert "0 collected, 1 replaced (the earlier ones are in" in done.text
    found = submitted(folder)
    assert found[f"kingada_71/{SET}/nb.ipynb"] == wrong
    assert found[f".replaced/kingada_71/{SET}/1/nb.ipynb"] == right
    done = collect(folder, file)  # the older archive again
    assert "kingada_71: another version is there, not known to be older" in done.text
    assert submitted(folder) == found
    collect(folder, file, "--replace")
    assert submitted(folder)[f"kingada_71/{SET}/nb.ipynb"] == right


def test_a_name_that_windows_has_lengthened_and_a_file_of_another_kind(
    folder, tmp_path, right
):
    file = pack(
        tmp_path / "m.zip",
        (f"{ADA}/nb.ipynb.txt", right),
        (f"{BOB}/NB (1).ipynb.json", right),
        (f"{moodle_folder('Cyd', 3)}/nb.ipynb ", right),
        (f"{moodle_folder('Dan', 4)}/nb.pdf", b"%PDF"),
        (f"{moodle_folder('Eve', 5)}/all.zip", b"no zip"),
    )
    done = collect(folder, file)
    tops = {name.split("/")[0] for name in submitted(folder)}
    assert tops == {"ada_king_1001", "bob_ray_1002", "cyd_3"}
    assert "Ada King: nb.ipynb.txt was taken as nb.ipynb" in done.text
    assert "Dan: handed in no notebook" in done.text
    assert "Eve: handed in no notebook" in done.text
    assert "Ada King: handed in" not in done.text


def test_marking_without_names_in_canvas(folder, tmp_path, right, wrong):
    config = folder / "gradebook.db"
    config.unlink()
    with Gradebook(f"sqlite:///{config}") as book:
        book.add_assignment(SET, duedate="2027-01-15 23:59:00 UTC")
    file = pack(
        tmp_path / "c.zip",
        ("anon_Ab12x_9001_nb.ipynb", right),
        ("LATE_anon_9Zk3q_9002_nb.ipynb", wrong),
        (canvas_file("Anon", 51, 9003, "nb.ipynb"), right),  # a name like any other
        ("LATE_anon_7Yp2w_text.html", "typed"),
        time=(2027, 2, 1, 9, 0, 0),
    )
    done = collect(folder, file)
    found = submitted(folder)
    assert done.text.splitlines()[0] == f"{SET}: 3 collected"
    assert found[f"anon_ab12x/{SET}/nb.ipynb"] == right
    assert found[f"anon_ab12x/{SET}/timestamp.txt"] == b"2027-01-15 23:59:00 UTC\n"
    assert found[f"anon_9zk3q/{SET}/timestamp.txt"] == b"2027-01-15 23:59:01 UTC\n"
    assert found[f"anon_51/{SET}/nb.ipynb"] == right
    assert "anon_7Yp2w: handed in no notebook" in done.text
    assert "two ways" not in done.text


def test_who_typed_a_text_or_whose_files_are_refused_is_named(folder, tmp_path, right):
    link = zipfile.ZipInfo(f"{BOB}/nb.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    typed = moodle_folder("Cyd", 3).replace("file", "onlinetext")
    with zipfile.ZipFile(tmp_path / "m.zip", "w") as out:
        out.writestr(f"{ADA}/nb.ipynb", right)
        out.writestr(ADA.replace("file", "onlinetext") + "/onlinetext.html", "see file")
        out.writestr(link, "/etc/passwd")
        out.writestr(f"{typed}/onlinetext.html", "all I have")
        out.writestr("dandoe_74_link.html", "https://example.org")
    done = collect(folder, tmp_path / "m.zip", SET)
    for who in ("Bob Ray", "Cyd", "dandoe"):
        assert f"{who}: handed in no notebook" in done.text
    assert done.text.count("typed into the platform") == 3
    assert "Ada King: handed in" not in done.text


def test_a_name_that_holds_the_number_of_another_takes_nothing(
    folder, tmp_path, right, wrong
):
    """Who may choose a name in Canvas chooses one that ends like Ada's file."""
    mine = (canvas_file("King, Ada", 71, 9001, "nb.ipynb"), right)
    made = (canvas_file("kingada_71_99999", 666, 9002, "nb.ipynb"), wrong)
    odd = (canvas_file("X_Y, Z", 75, 9003, "nb.ipynb"), right)
    done = collect(folder, pack(tmp_path / "c.zip", mine, made, odd))
    assert submitted(folder)[f"kingada_71/{SET}/nb.ipynb"] == right
    assert "kingada: 666_9002_nb.ipynb left out" in done.text
    assert f"x_yz_75/{SET}/nb.ipynb" in submitted(folder)
    done = collect(folder, pack(tmp_path / "d.zip", made))
    assert submitted(folder)[f"kingada_71/{SET}/nb.ipynb"] == right
    assert "whose it is can be read in two ways; look at it" in done.text


def test_what_came_another_way_is_not_replaced(folder, tmp_path, right):
    place = folder / "submitted" / "ada_king_1001" / SET
    place.mkdir(parents=True)
    (place / "nb.ipynb").write_text("by mail")
    done = collect(folder, pack(tmp_path / "m.zip", (f"{ADA}/nb.ipynb", right)))
    assert "--replace takes this one" in done.text
    assert (place / "nb.ipynb").read_text() == "by mail"


ROSTERS = {
    "nbgrader": "id,first_name,last_name,email\nada,Ada,King,a@x.org\nbob,Bob,Ray,b@x",
    "moodle": "Identifier,Full name,Email address\nParticipant 1001,Ada King,ada\n"
    "Participant 1002,Bob Ray,bob\n",
    "semicolons": "id;first_name;last_name\nada;Ada;King\nbob;Bob;Ray\n",
    "participants": "First name,Last name,Username\nAda,King,ada\nBob,Ray,bob\n",
}


@pytest.mark.parametrize("kind", ROSTERS)
def test_a_roster_gives_the_ids(folder, tmp_path, right, kind):
    (tmp_path / "r.csv").write_text(ROSTERS[kind], encoding="utf-8-sig")
    entries = [(f"{who}/nb.ipynb", right) for who in (ADA, BOB)]
    entries.append((f"{moodle_folder('Eve Who', 9)}/nb.ipynb", right))
    file = pack(tmp_path / "m.zip", *entries)
    done = collect(folder, file, "--roster", tmp_path / "r.csv")
    tops = {name.split("/")[0] for name in submitted(folder)}
    assert tops == {"ada", "bob", "eve_who_9"}
    assert "Eve Who: not in the roster, or more than once; taken as" in done.text


def test_a_roster_with_two_of_one_name_or_an_id_that_is_a_path():
    rows = [{"id": "a1", "full name": "Ada"}, {"id": "a2", "full name": "Ada"}]
    rows.append({"id": "../../etc", "full name": "Eve"})
    roster = platforms.Roster(rows)
    assert roster.find(Sender("moodle", "1", "Ada", "")) is None
    assert roster.find(Sender("moodle", "2", "Eve", "")) is None
    canvas = {"student": "King, Ada", "id": "71", "sis login id": "ada"}
    assert platforms.Roster([canvas]).find(Sender("canvas", "71", "x", "")) == "ada"


# ---- archives that want to do harm ----


def hostile(path: Path, right: bytes) -> None:
    """One good submission among everything that an archive can do."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name in ("../up.ipynb", "/abs.ipynb", "C:/win.ipynb", f"{BOB}/../x.ipynb"):
            out.writestr(zipfile.ZipInfo(name), right)
        link = zipfile.ZipInfo(f"{BOB}/nb.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        out.writestr(link, "/etc/passwd")
        pipe = zipfile.ZipInfo(f"{BOB}/pipe.ipynb")
        pipe.external_attr = (stat.S_IFIFO | 0o644) << 16
        out.writestr(pipe, "")
        out.writestr(f"{BOB}/bomb.ipynb", b"0" * (archive.FILE_BYTES + 1))
        out.writestr(f"{ADA}/nb.ipynb", right)
        with pytest.warns(UserWarning, match="Duplicate name"):
            out.writestr(f"{ADA}/nb.ipynb", b"the second")
        out.writestr(f"{moodle_folder('Eve', 5)}/\x1b[31m.ipynb", right)


def test_harm_is_refused_and_named_and_the_rest_collected(folder, tmp_path, right):
    hostile(tmp_path / "h.zip", right)
    done = collect(folder, tmp_path / "h.zip", SET)
    assert done.code == 0, done.errors
    tops = {name.split("/")[0] for name in submitted(folder)}
    assert tops == {"ada_king_1001", "eve_5"}
    assert submitted(folder)[f"ada_king_1001/{SET}/nb.ipynb"] == right
    assert done.text.count("its name leads out of the archive") == 4
    for line in ("it is a link", "it is no plain file", "its name is there twice"):
        assert line in done.text
    assert "bomb.ipynb: is larger than 32 MiB when unpacked" in done.text
    assert "\x1b" not in done.text
    assert not (tmp_path / "up.ipynb").exists()


def test_encrypted_damaged_and_lying_entries_are_named(folder, tmp_path, right):
    path = pack(
        tmp_path / "e.zip", (f"{ADA}/nb.ipynb", right), (f"{BOB}/nb.ipynb", right)
    )
    data = bytearray(path.read_bytes())
    second = data.index(b"PK\x03\x04", 4)
    data[second + 60 + len(BOB)] ^= 0xFF  # in the middle of what is packed
    flag = data.index(b"PK\x01\x02")
    data[flag + 8] |= 1  # ada's is encrypted, the archive says
    path.write_bytes(data)
    done = collect(folder, path, SET)
    assert done.code == 1
    assert "holds no notebooks named as" in done.errors
    assert "it is encrypted" in done.errors
    assert "is damaged" in done.errors or "cannot be unpacked" in done.errors


def test_too_many_entries_and_no_archive_at_all(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "ENTRIES", 3)
    many = pack(tmp_path / "m.zip", *((f"{n}.txt", "") for n in range(4)))
    assert (
        collect(folder, many).errors == "course: the archive has 4 entries: too many\n"
    )
    (tmp_path / "x.zip").write_text("no zip")
    assert "x.zip is no zip file" in collect(folder, tmp_path / "x.zip").errors
    assert "No such file" in collect(folder, tmp_path / "none.zip").errors
    other = pack(tmp_path / "o.zip", ("ada/nb.ipynb", b"{}"))
    assert "holds no notebooks named as Moodle" in collect(folder, other).errors


def test_all_that_is_unpacked_for_a_student_has_a_limit(tmp_path):
    opened = archive.Archive(pack(tmp_path / "a.zip", ("a", "x" * 99), ("b", "x" * 99)))
    room = archive.Room(150)
    assert len(opened.read("a", room)) == 99
    with pytest.raises(archive.Refused, match="is larger than"):
        opened.read("b", room)
    assert room.left == 0  # what is refused was unpacked, too
    assert len(opened.read("b", archive.Room(150))) == 99


def test_one_student_cannot_use_up_the_room_of_all(folder, tmp_path, right):
    """Adam's zip unpacks to more than a student may have; he comes first."""
    bomb = pack(tmp_path / "b.zip", *((f"{n}/nb.ipynb", " " * 2**24) for n in range(9)))
    adam = moodle_folder("Adam", 1)
    entries = (f"{adam}/b.zip", bomb.read_bytes()), (f"{ADA}/nb.ipynb", right)
    many = b"PK\1\2" * (archive.ENTRIES + 1)
    many = f"{moodle_folder('Abe', 3)}/m.zip", many
    done = collect(folder, pack(tmp_path / "all.zip", many, *entries), SET)
    assert submitted(folder)[f"ada_king_1001/{SET}/nb.ipynb"] == right
    assert "b.zip: is larger than" in done.text
    assert "m.zip: has too many entries" in done.text


def test_one_student_does_not_crowd_out_what_is_said_of_others(folder, tmp_path, right):
    """A zip file of thousands of odd names and other notebooks."""
    odd = [(f"../{n}.ipynb", "{}") for n in range(300)]
    many = pack(tmp_path / "m.zip", *odd, *((f"{n}.ipynb", "{}") for n in range(300)))
    adam = f"{moodle_folder('Adam', 1)}/m.zip", many.read_bytes()
    done = collect(
        folder, pack(tmp_path / "a.zip", adam, (f"{ADA}/nb.ipynb", right)), SET
    )
    assert submitted(folder)[f"ada_king_1001/{SET}/nb.ipynb"] == right
    assert done.text.count("\n") < 50
    assert "… and 290 more of this kind" in done.text


def test_who_takes_the_name_of_another_takes_nothing_else(
    folder, tmp_path, right, wrong
):
    roster = tmp_path / "students.csv"
    roster.write_text("id,first_name,last_name\nada,Ada,King\n")
    one, other = f"{ADA}/nb.ipynb", f"{moodle_folder('Ada King', 2002)}/nb.ipynb"
    both = pack(tmp_path / "both.zip", (one, right), (other, wrong, LATER))
    done = collect(folder, both, SET, "--roster", roster)
    tops = {name.split("/")[0] for name in submitted(folder)}
    assert tops == {"ada_king_1001", "ada_king_2002"}
    assert "two have this name" in done.text
    first = pack(tmp_path / "first.zip", (one, right))
    collect(folder, first, SET, "--roster", roster)
    later = pack(tmp_path / "later.zip", (other, wrong, LATER))
    done = collect(folder, later, SET, "--roster", roster)
    assert submitted(folder)[f"ada/{SET}/nb.ipynb"] == right
    assert "came from another person of this name" in done.text


# ---- and back ----


def moodle_takes(entry: str) -> tuple[int, str] | None:
    """How Moodle reads the name of a file in a feedback zip: participant and file."""
    parts = entry.split("/")
    while parts:
        info = parts.pop(0).split("_", 4)
        if (
            len(info) >= 4
            and info[1].isdigit()
            and info[2:4]
            == [
                "assignsubmission",
                "file",
            ]
        ):
            rest = "/".join([*info[4:], *parts]).lstrip("/")
            return int(info[1]), rest
    return None


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A course of its own: marks are written into its gradebook."""
    return make_course(tmp_path_factory.mktemp("own"), SET, {"nb": problem()})


def grade_all(folder) -> None:
    """Grade once: everything is graded, whatever else the machine does meanwhile."""
    done = grade(folder, SET, "--timeout", "120")
    assert done.code == 0, done.errors
    assert {row["status"] for row in done.rows.values()} == {"graded"}, done.report


def test_feedback_goes_back_to_moodle_and_marks_too(
    own, tmp_path, right, wrong, monkeypatch
):
    file = pack(
        tmp_path / "m.zip", (f"{ADA}/nb.ipynb", right), (f"{BOB}/x.ipynb", wrong)
    )
    assert collect(own, file).code == 0
    grade_all(own)
    words = ("--zip", "moodle", "--to", tmp_path / "back.zip")
    done = course("feedback", SET, *words, "--course", own)
    assert done.code == 0, done.errors
    assert "back.zip: 2 pages for 2 students" in done.text
    with zipfile.ZipFile(tmp_path / "back.zip") as back:
        taken = {moodle_takes(name): back.read(name) for name in back.namelist()}
    pages = {
        number: (own / f"feedback/{student}/{SET}/nb.html").read_bytes()
        for number, student in ((1001, "ada_king_1001"), (1002, "bob_ray_1002"))
    }
    assert taken == {(number, "nb.html"): page for number, page in pages.items()}
    with Gradebook(f"sqlite:///{own}/gradebook.db") as book:
        book.add_student("cyd")  # handed in nothing
    out = course("export", "--format", "moodle", "--course", own).text
    marks = {row[0]: row[-1] for row in csv.reader(io.StringIO(out))}
    assert marks["cyd"] == "-"
    assert float(marks["ada_king_1001"]) > float(marks["bob_ray_1002"])
    assert "without the notebook" not in done.errors
    monkeypatch.setattr(PageClient, "page", lambda self, **request: None)  # no time
    done = course("feedback", SET, "--only", "bob_ray_1002", "--course", own)
    assert "without the notebook, which took too long to show: bob_ray" in done.errors


CANVAS = """\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Squares (555),Old (556)
    Points Possible,,,,,10.0,5
"King, Ada",71,u71,ada@x.org,Mon,1.0,5
"Ray, Bob",72,u72,bob,Tue,3.5,4
"Student, Test",99,,t,,,
"""


def test_marks_are_filled_into_the_table_of_canvas(own, tmp_path, right):
    file = pack(
        tmp_path / "c.zip", (canvas_file("King, Ada", 71, 1, "nb.ipynb"), right)
    )
    assert collect(own, file).code == 0
    grade_all(own)
    with Gradebook(f"sqlite:///{own}/gradebook.db") as book:
        book.add_student("bob")
    (tmp_path / "canvas.csv").write_text(CANVAS)
    words = ("--format", "canvas", "--roster", tmp_path / "canvas.csv")
    done = course("export", *words, "--course", own)
    table = list(csv.reader(io.StringIO(done.text)))
    assert table[0] == CANVAS[1:].splitlines()[0].split(",")[:6]
    assert table[1][-1] == "10.0"
    assert table[2] == ["King, Ada", "71", "u71", "ada@x.org", "Mon", "4.5"]
    assert table[3] == ["Ray, Bob", "72", "u72", "bob", "Tue", "3.5"]  # as it was
    (tmp_path / "x.csv").write_text("a,b\n")
    words = ("--roster", tmp_path / "x.csv")
    assert "is no gradebook exported by Canvas" in course("export", *words).errors


def test_a_table_is_the_old_or_the_new_one(made, tmp_path, monkeypatch):
    (tmp_path / "ps.csv").write_text("old")
    words = ("export", "--course", made, "--to", tmp_path / "ps.csv")

    def full(entries, form, file) -> None:
        file.write("half")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("course_tools.grading.command.write", full)
        assert course(*words).errors == "course: No space left on device\n"
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("ps.csv", "old")]
    assert course(*words).code == 0
    assert (tmp_path / "ps.csv").read_text().startswith("assignment,")


def test_git_keeps_what_carries_names_out_of_a_clone():
    """Tables and packed pages are written where the command is given."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        pytest.skip("no clone")
    names = ["ps.csv", "feedback_ps1_rnn.zip", "submitted/ada/x.ipynb", "gradebook.db"]
    done = subprocess.run(
        ["git", "check-ignore", *names], cwd=root, capture_output=True, text=True
    )
    assert done.stdout.split() == names
