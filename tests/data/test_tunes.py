"""Folk tunes in ABC: lengths, bars and pitches by hand, and the book as a whole."""

from fractions import Fraction

import pytest

from course_lib.data import abc, installed, tunes

JIG = """X: 7
T: A Small Jig
M:6/8
L:1/8
K:D
A|"slow"d2e {g}fed|(3ABc d z2|f>e d c<BA|~d3 .d2:|
A|d2e fed|A3 B3|d6||
A,^cc =c^G,G|d'/2d'/ a/4a3/4 b4|[1 d3 d2|]
"""


@pytest.fixture(scope="module")
def book():
    return tunes.book()


@pytest.mark.parametrize(
    ("token", "eighths"),
    [("A", 1), ("a2", 2), ("B/", (1, 2)), ("B/2", (1, 2)), ("^c3/2", (3, 2))]
    + [("z//", (1, 4)), ("G,,12", 12), ("|", None), ("M:6/8", None)],
)
def test_lengths(token, eighths):
    expected = Fraction(*eighths) if isinstance(eighths, tuple) else eighths
    assert abc.length(token) == expected


@pytest.mark.parametrize("text", ["", "2", "/2", "3/2", "2/3", "12"])
def test_a_length_is_written_as_it_is_read(text):
    assert abc.length_text(abc.length("A" + text)) == text


@pytest.mark.parametrize(("metre", "eighths"), [("6/8", 6), ("2/2", 8), ("3/4", 6)])
def test_metres(metre, eighths):
    assert abc.eighths(metre) == eighths


def test_a_metre_that_is_none_is_refused():
    with pytest.raises(ValueError, match="metre 'C'"):
        abc.eighths("C")


@pytest.mark.parametrize(
    ("key", "signs"),
    [("C", {}), ("D", {"F": 1, "C": 1}), ("F", {"B": -1}), ("Em", {"F": 1})]
    + [("Ador", {"F": 1}), ("Bb", {"B": -1, "E": -1}), ("Dmix", {"F": 1})],
)
def test_key_signatures(key, signs):
    assert abc.signature(key) == signs


def test_an_unknown_key_is_refused():
    with pytest.raises(ValueError, match="key 'H'"):
        abc.signature("H")


def test_pitches_follow_the_key_and_accidentals_last_a_bar():
    row = ["C", "F", "=F", "F", "|", "F", "c'", "B,", "z", "^G2"]
    pitches = [60, 66, 65, 65, 66, 85, 59, 68]  # key of D: F and C are sharp
    pitches[0] = 61
    found = abc.notes(row, "D")
    assert [pitch for *_, pitch in found] == pitches
    assert found[-1][:2] == (8.0, 2.0)  # the rest took its time


def test_only_bars_between_plain_lines_are_counted():
    row = ["A", "|", "B2", "c", "|", "d6", ":|", "e", "|", "f3", "g3", "|", "a6", "||"]
    assert abc.inner_bars(row) == [3, 6]
    assert abc.full_bars(row, "6/8") == (1, 2)
    assert abc.full_bars(row, "3/8") == (1, 2)


def test_a_tune_is_read_and_written_out():
    tune = tunes.read(JIG)
    assert (tune.number, tune.title, tune.metre) == (7, "A Small Jig", "6/8")
    assert tune.text[:4] == ("M:6/8", "K:D", "A", "|")
    text = " ".join(tune.tokens)
    assert "| A2/3 B2/3 c2/3 d z2 |" in text
    assert "| f3/2 e/2 d c/2 B3/2 A |" in text
    assert "d3 d2 :| A | d2 e f e d" in text
    assert "| A, ^c c =c ^G, G | d'/2 d'/2 a/4 a3/4 b4 |" in text
    assert text.endswith("d3 d2 ||")


def test_a_unit_of_a_sixteenth_halves_the_lengths():
    tune = tunes.read(JIG.replace("L:1/8", "L:1/16"))
    assert "| d e/2 f/2 e/2 d/2 |" in " ".join(tune.tokens)


@pytest.mark.parametrize(
    ("old", "new"),
    [("M:6/8", "M:5/4"), ("K:D", "K:H"), ("d6", "[df]6"), ("A3 B3", "\nM:9/8\nA3 B3")]
    + [("(3ABc", "(5ABc"), ("d2e fed|A3 B3|d6||", "+d6f6+||"), ("X: 7", "X: seven")],
)
def test_what_we_cannot_read_is_left_out_whole(old, new):
    assert tunes.read(JIG.replace(old, new)) is None


def test_the_book_is_large_and_every_tune_is_there_once(book):
    assert len(book) > 1600
    assert len({tune.number for tune in book}) == len(book)
    assert len({tune.tokens for tune in book}) == len(book)


@pytest.mark.parametrize("metre", tunes.KEPT)
def test_nearly_all_bars_of_the_book_add_up(book, metre):
    counts = [abc.full_bars(t.tokens, metre) for t in book if t.metre == metre]
    right, total = map(sum, zip(*counts, strict=True))
    assert total > 400
    assert right > 0.94 * total


def test_every_tune_of_the_book_can_be_played(book):
    for tune in book:
        pitches = [pitch for *_, pitch in abc.notes(tune.tokens, tune.key)]
        assert len(pitches) >= 20
        assert 40 < min(pitches) <= max(pitches) < 100


def test_load_splits_by_the_seed_and_keeps_the_metres_asked_for():
    jigs = tunes.load(0, ("6/8",))
    assert {tune.metre for tune in jigs.train + jigs.test} == {"6/8"}
    assert len(jigs.test) == round(0.1 * (len(jigs.train) + len(jigs.test)))
    assert not set(jigs.train) & set(jigs.test)
    assert tunes.load(0, ("6/8",)) == jigs
    assert tunes.load(1, ("6/8",)).test != jigs.test


@pytest.mark.parametrize("metres", [(), ("5/4",)])
def test_metres_that_are_not_kept_are_refused(metres):
    with pytest.raises(ValueError, match="are not among"):
        tunes.load(0, metres)


def test_a_missing_package_names_the_command():
    with pytest.raises(installed.MissingDataError) as error:
        installed.folder("no_such_package", "x", "the folk tunes")
    assert "which is not installed: ./course setup" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_package_without_its_data_says_so():
    with pytest.raises(installed.MissingDataError, match="no folder gone"):
        installed.folder("json", "gone", "the folk tunes")


def test_the_package_is_found_without_being_imported():
    import subprocess
    import sys

    code = (
        "import sys; from course_lib.data import tunes; tunes.book(); "
        "print('music21' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert out.stdout == "False\n", out.stderr
