"""Copies are found however they are dressed up; independent answers are not."""

import ast
import json
import re

import bench
import pytest
from made_course import course as run_course
from nbformat import v4

from course_tools.grading.plan.rebuild import plain_cell
from course_tools.similar import command, compare, fingerprints, page
from course_tools.similar.compare import Answer, alike
from course_tools.similar.fingerprints import RUN, WINDOW, code_tokens, pieces

SETS = sorted(path.name for path in (bench.ROOT / "solutions").iterdir())


class Set:
    """A problem set: its solution, what it gives to everybody, its right answers."""

    def __init__(self, name):
        book = bench.source(name)
        written = [plain_cell(cell) for cell in book.cells]
        names = {cell.grade_id for cell in written if cell.grade_id}
        stubs = command._stubs(written)
        self.given = [command._answers(part, names) for part in (written, stubs)]
        self.known = command._known(written)
        self.solved = bench.solution_cells(book)
        found = [bench.read_answer(path) for path in bench.answer_files(name)]
        self.right = {a.name: a.cells for a in found if not a.is_wrong}

    def alike(self, submissions):
        made = {
            student: [Answer(name, text) for name, text in cells.items()]
            for student, cells in submissions.items()
        }
        pairs = alike(made, self.given, self.known)
        return {(pair.one, pair.other): pair for pair in pairs}


@pytest.fixture(scope="module")
def ps3():
    return Set("ps3_lstm")


@pytest.fixture(scope="module")
def ada(ps3):
    """Somebody who found an own way wherever the bank knows one."""
    cells = dict(ps3.solved)
    for answer in ps3.right.values():
        cells.update(answer)
    return cells


@pytest.fixture(scope="module")
def eve(ps3):
    """Another one: of several ways the others."""
    cells = dict(ps3.solved)
    for answer in reversed(ps3.right.values()):
        cells.update(answer)
    return cells


class Renamed(ast.NodeTransformer):
    """Gives every variable of a function another name."""

    def __init__(self):
        self.names = {}

    def visit_arg(self, node):
        node.arg = self._other(node.arg)
        return node

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store) or node.id in self.names:
            node.id = self._other(node.id)
        return node

    def _other(self, name):
        return self.names.setdefault(name, f"quantity_{len(self.names)}")


def disguised(source):
    """Other names, other layout, comments, and the last function first."""
    tree = ast.parse(source)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    others = [node for node in tree.body if node not in functions]
    made = [ast.unparse(Renamed().visit(node)) for node in reversed(functions)]
    parts = ["\n".join(map(ast.unparse, others)), *made]
    lines = "\n\n\n".join(parts).splitlines()
    return "\n".join(
        f"{line}  # step {n}" if line else "" for n, line in enumerate(lines)
    )


def test_a_copy_in_disguise_is_found(ps3, ada, eve):
    copy = {name: disguised(text) for name, text in ada.items()}
    pairs = ps3.alike({"ada": ada, "bob": copy, "eve": eve})
    pair = pairs["ada", "bob"]
    assert pair.share > 0.8
    assert pair.shared > 200
    assert pair is max(pairs.values(), key=lambda p: p.shared)


def test_one_copied_answer_is_found(ps3, ada):
    """All else is the solution, word for word, which proves nothing."""
    cell = max(ada, key=lambda name: len(ada[name]) * (ada[name] != ps3.solved[name]))
    one = {**ps3.solved, cell: ada[cell]}
    other = {**ps3.solved, cell: disguised(ada[cell])}
    (pair,) = ps3.alike({"ada": one, "bob": other, "eve": ps3.solved}).values()
    assert (pair.one, pair.other, pair.answers) == ("ada", "bob", (cell,))


def test_the_solution_and_the_stub_explain_themselves(ps3):
    stub = {answer.name: answer.text for answer in ps3.given[1]}
    stubs = {name: stub[name] for name in ps3.solved}
    assert ps3.alike({"ada": ps3.solved, "bob": ps3.solved}) == {}
    assert ps3.alike({"ada": stubs, "bob": stubs, "eve": ps3.solved}) == {}


@pytest.mark.parametrize("name", SETS)
def test_independent_answers_are_not_pairs(name):
    """Every right answer of the bank as a student of its own."""
    known = Set(name)
    assert known.alike(known.right) == {}


def test_what_many_share_is_an_idiom(ps3, ada):
    """A page that half of the class has read is no sign of two who copied."""
    many = {f"s{number}": ada for number in range(10)}
    assert ps3.alike(many) == {}


def test_tokens_forget_names_and_comments():
    one = 'def f(x):\n    """Text."""\n    y = x + 1  # add\n    return np.sum(y)\n'
    other = "def g(value):\n\n    total = (value + 1)\n    return np.sum(total)\n"
    texts = [[t.text for t in code_tokens(text, {"np"})] for text in (one, other)]
    assert "np" in texts[0]
    assert [t for t in texts[0] if t not in "()"] == [
        t for t in texts[1] if t not in "()"
    ]
    assert code_tokens("def broken(:\n  '''") != []


def test_a_long_enough_common_run_is_always_found():
    """The promise of winnowing, wherever the run stands."""
    run = [fingerprints.Token(f"t{n}", 1) for n in range(RUN + WINDOW - 1)]
    for before in range(7):
        left = [fingerprints.Token(f"a{n}", 1) for n in range(before)] + run
        right = run + [fingerprints.Token(f"b{n}", 1) for n in range(3 * before)]
        hashes = [{piece.hash for piece in pieces(text)} for text in (left, right)]
        assert hashes[0] & hashes[1]
    assert pieces(run[: RUN - 1]) == []


# ---- the command ----


@pytest.fixture
def folder(tmp_path, ps3, ada, eve):
    """A course of three: bob has ada's answers, and a page that wants to run."""
    source = tmp_path / "solutions" / "ps3_lstm"
    source.mkdir(parents=True)
    book = bench.source("ps3_lstm")
    (source / "ps3_lstm.ipynb").write_text(json.dumps(book))
    (tmp_path / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.source_directory = 'solutions'\n"
    )
    copy = {name: disguised(text) for name, text in ada.items()}
    copy["answer_step"] += "\nx = '<script>alert(1)</script>'\n"
    for student, cells in {"ada": ada, "b<b>ob": copy, "eve": eve}.items():
        place = tmp_path / "submitted" / student / "ps3_lstm"
        place.mkdir(parents=True)
        made = bench.submission(book, cells)
        made.cells.append(v4.new_markdown_cell("<img src=x onerror=alert(2)>"))
        (place / "ps3_lstm.ipynb").write_text(json.dumps(made))
    broken = tmp_path / "submitted" / "zoe" / "ps3_lstm"
    broken.mkdir(parents=True)
    (broken / "ps3_lstm.ipynb").write_text("no notebook")
    return tmp_path


def test_the_command_lists_pairs_and_writes_a_safe_page(folder):
    result = run_course("similar", "ps3", "--course", folder)
    assert (result.code, result.errors) == (0, "")
    first, *_ = result.text.splitlines()
    assert re.match(r"ada, b<b>ob: \d+% alike \(\d+ pieces\) in answer_", first)
    assert "could not be read: zoe" in result.text
    assert "never a finding" in result.text
    path = folder / ".grading" / "ps3_lstm" / "similar.html"
    page = path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert "<mark>" in page
    assert "never a finding" in page
    assert "default-src 'none'" in page
    for live in ("<script", "<img", "b<b>ob", "http://", "https://"):
        assert live not in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ps9",), "ps9"),
        (("ps3", "--submissions", "nowhere"), "no folder of submissions: nowhere"),
        (("ps3", "--to", "missing/page.html"), "No such file or directory"),
    ],
)
def test_bad_input_is_one_line(folder, words, said):
    result = run_course("similar", *words, "--course", folder)
    assert result.code == 1
    assert said in result.errors
    assert result.errors.count("\n") == 1


def test_a_share_is_a_number_of_percent():
    with pytest.raises(SystemExit, match="2"):
        run_course("similar", "ps3", "--least", "often")


@pytest.mark.parametrize(
    "text", ["a+" * 500_000, "(" * 900_000, '"""' + "\n" * 999_000]
)
def test_of_a_long_text_a_part_is_looked_at(text, monkeypatch):
    looked_at = []
    tokens = fingerprints._tokens
    monkeypatch.setattr(
        fingerprints,
        "_tokens",
        lambda source: looked_at.append(source) or tokens(source),
    )
    code_tokens(text, ())
    assert [len(source) for source in looked_at] == [fingerprints.CHARACTERS]
    assert len(fingerprints.text_tokens(text)) <= fingerprints.TOKENS


def test_cells_of_ones_own_take_no_room_from_answers(monkeypatch):
    """Who fills a notebook with other cells is compared all the same."""
    monkeypatch.setattr(compare, "TOKENS", 1_000)
    answer = Answer("step", " ".join(f"a{n} + b{n} * {n}" for n in range(100)))
    filling = [Answer(f"{compare.OWN} {n}", f"x = {n} + 1\n" * 60) for n in range(90)]
    found = compare.find([*filling, answer], known=())
    names = {name for places in found.values() for name, _ in places}
    assert "step" in names
    assert len(names) < 10


def test_who_fills_cells_without_words_takes_no_more_time(monkeypatch):
    """A text may keep what takes it apart, and have no words in the end."""
    looked_at = []
    monkeypatch.setattr(
        compare, "_tokens", lambda answer, known: looked_at.append(answer.name) or []
    )
    empty = '"""a"""\n' * 12_500
    compare.find([Answer(f"{compare.OWN} {n}", empty) for n in range(99)], known=())
    assert len(looked_at) == compare.TOKENS * compare.LETTERS // fingerprints.CHARACTERS


def test_a_page_does_not_grow_with_what_two_have_agreed_on():
    """One long answer, of which the other has a piece in each of many cells."""
    lines = [
        f"a{n} {'+-*/@'[n % 5]} {n} {'&|^%<'[n // 5 % 5]} {n * n}" for n in range(3_000)
    ]
    long = Answer("step", "\n".join(lines) + "\n#" + "&" * 900_000)
    cells = range(0, 3_000, 30)
    many = [Answer(f"cell {n}", "\n".join(lines[n : n + 30])) for n in cells]
    own = {"ada": [long], "eve": many}
    (pair,) = alike(own, [[], []])
    assert len({(match.name, match.other) for match in pair.matches}) == len(cells)
    made = page.page("ps1", [pair] * 300, own)
    assert len(made) < page.PAGE_CHARACTERS + 80 * 6 * fingerprints.CHARACTERS
    assert made.count("<h2>") == 300
    assert "and 60 more that share something" in made
    assert "the rest was not compared" in made
    assert page.page("ps1", [pair], own).count("<table>") == 1
