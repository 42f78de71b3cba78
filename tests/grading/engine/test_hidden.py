"""What students are told: enough to mend their code, nothing of a hidden test."""

from course_lib.grading import hidden

SOURCE = """assert f(1) == 2, "one"
### BEGIN HIDDEN TESTS
secret = 41
assert f(secret) == 42, f"got {f(secret)} for the large case"
### END HIDDEN TESTS
assert f(3) == 4, "three"
"""


def test_regions():
    assert hidden.hidden_lines(SOURCE) == {2, 3, 4, 5}
    shown = hidden.without_hidden(SOURCE)
    assert shown.split("\n")[:2] == ['assert f(1) == 2, "one"', SOURCE.split("\n")[5]]
    assert "secret" not in shown


def test_an_unclosed_region_hides_the_rest():
    assert hidden.without_hidden("a\n# BEGIN HIDDEN TESTS\nb\nc") == "a"


def test_static_message_leaves_out_what_is_computed():
    assert hidden.static_message(SOURCE, 4) == "got … for the large case"
    assert hidden.static_message(SOURCE, 1) == "one"
    assert hidden.static_message("raise ValueError('a' + str(3))", 1) == "a…"
    assert hidden.static_message("assert x, 'a %d' % 3", 1) == "a %d"
    assert hidden.static_message("assert x, reason", 1) == ""


def test_only_known_text_remains():
    texts = hidden.visible_texts(
        ('m = f"{name} is wrong: "; n = "the bias is missing"',)
    )
    message = "h_17 is wrong: the bias is missing (731954862)"
    assert hidden.only_known(message, texts) == "… is wrong: the bias is missing …"
    assert hidden.only_known("731954862", texts) == ""
    assert hidden.only_known("anything", []) == ""


def test_short_texts_cannot_be_used_to_spell():
    assert hidden.visible_texts(("a = 'a'; b = 'b'; c = 'abc'",)) == []


def verdict(bench, student, test, locked="import numpy as np"):
    (report,) = bench.verdicts(("locked", locked), ("student", student), ("test", test))
    return report["error"]


def test_visible_checks_tell_everything(bench):
    error = verdict(bench, "def f(x): return 7", "assert f(1) == 2, f'got {f(1)}'")
    assert error["public"] == error["message"] == "AssertionError: got 7"


def test_hidden_checks_tell_the_fixed_words(bench):
    error = verdict(bench, "def f(x): return x + (x < 5)", SOURCE)
    assert error["message"] == "AssertionError: got 41 for the large case"
    assert error["public"] == "a hidden check failed: got … for the large case"


def test_student_errors_in_hidden_checks_tell_their_type_only(bench):
    student = """
def f(x):
    if x > 5: raise type('E41', (ValueError,), {})(f'x was {x}')
    return x + 1
"""
    error = verdict(bench, student, SOURCE)
    assert error["message"] == "E41: x was 41"
    assert error["public"] == "in a hidden check your code raised ValueError"


def test_words_of_locked_helpers_are_shown(bench):
    locked = "def agree(a, b, name): assert a == b, f'{name} is not right: {a}'"
    test = "### BEGIN HIDDEN TESTS\nagree(f(41), 42, 'the answer')\n"
    test += "### END HIDDEN TESTS\nother = 'the answer'"
    error = verdict(bench, "def f(x): return x", test, locked)
    assert error["message"] == "AssertionError: the answer is not right: 41"
    assert error["public"] == "a hidden check failed: the answer is not right: …"


def test_after_a_hidden_check_visible_messages_are_filtered_too(bench):
    student = """
seen = []
def f(x):
    seen.append(x)
    return x + 1
def g(x): return str(seen)
"""
    reports = bench.verdicts(
        ("student", student), ("test", SOURCE), ("test", "assert g(1) == 2, g(1)")
    )
    assert reports[0]["error"] is None
    assert "41" in reports[1]["error"]["message"]
    assert "41" not in reports[1]["error"]["public"]


def test_words_beside_part_of_the_points(bench):
    student = "def f(x):\n    print('spy', x)\n    return -x"
    shown = 'if f(3) != 3:\n    print("look at the sign", f(5))\n'
    secret = 'if f(731) != 731:\n    print("look at the sign", f(731))\n'
    marks = "### BEGIN HIDDEN TESTS\n{}### END HIDDEN TESTS\n"
    (open_report,) = bench.verdicts(("student", student), ("test", shown + "2.5"))
    assert open_report["score"] == 2.5
    assert open_report["said"] == ["look at the sign -5"] * 2
    test = shown + marks.format(secret) + "2.5"
    (report,) = bench.verdicts(("student", student), ("test", test))
    assert report["said"] == [
        "look at the sign -5\nlook at the sign -731",
        "look at the sign …",
    ]
    assert "spy 731" in str(report["outputs"])
