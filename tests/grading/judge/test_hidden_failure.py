"""What students are told: enough to mend their code, nothing of a hidden test."""

import pytest
from pace import usual_seconds

from course_tools.grading.judge import hidden_failure
from course_tools.grading.plan import hidden_tests

SOURCE = """assert f(1) == 2, "one"
### BEGIN HIDDEN TESTS
secret = 41
assert f(secret) == 42, f"got {f(secret)} for the large case"
### END HIDDEN TESTS
assert f(3) == 4, "three"
"""


def words(source, message, texts=(), line=1):
    return hidden_failure.fixed_message(source, line, message, texts)


def test_messages_leave_out_what_is_computed():
    assert (
        words(SOURCE, "got 7 for the large case", line=4) == "got … for the large case"
    )
    assert words(SOURCE, "one") == "one"
    assert words("raise ValueError('a' + str(3))", "a3") == "a…"
    assert words("assert x, 'a %d of %s' % (3, y)", "a 3 of 4") == "a … of …"
    assert words("assert x, 'a {} of {n}'.format(3, n=4)", "a 3 of 4") == "a … of …"
    assert words("assert x, reason", "731954862") == ""
    assert words("assert x", "") == words("x = 1", "odd") == ""


def test_a_text_may_have_a_name_of_its_own():
    source = "hint = 'is it squared?'\nassert f(7), hint"
    assert words(source, "is it squared?", line=2) == "is it squared?"
    source = "many = f'one of {n}'\nlong = f'{many} is off; all?'\nassert f(7), long"
    assert words(source, "one of 731 is off; all?", line=3) == "one of … is off; all?"
    source = "small = f'got {x}'\nassert x, small + ', too small'"
    assert words(source, "got 7, too small", line=2) == "got …, too small"


@pytest.mark.parametrize(
    "source",
    [
        "word = 'secret'\nassert f(word), word",
        "word = 'secret'\nassert f(word), f'for {word}'",
        "word = 'secret'\nother = word\nassert f(other), word",
        "word = 'secret'\ndef g(word):\n    assert word, word",
        "word = 'one'\nword = 'secret'\nassert x, word",
        "for word in ['secret']:\n    assert x, word",
        "word = 'secret'\nassert x, f'{word!r}'",
    ],
)
def test_what_a_check_computes_with_is_no_text(source):
    line = source.count("\n") + 1
    assert "secret" not in words(source, "secret", line=line)


def test_messages_keep_texts_that_students_have():
    told, texts = 'assert x, f"{name} is off by {d}: {hint}"', ["W_h", "is b missing?"]
    message = "W_h is off by 731954862: is b missing?"
    assert words(told, message, texts) == "W_h is off by …: is b missing?"
    assert words(told, message.replace("W_h", "0.7"), texts).startswith("… is off")
    assert words("assert x, reason", "is b missing?", texts) == "is b missing?"
    spelt = "assert x, f'{a}{b}{c}'"
    assert words(spelt, "is b missing?" * 3, texts) == ""
    assert words('assert x, f"{a} and {b} and {c}"', "W_h and W_h and W_h", texts) == (
        "… and … and …"
    )


def test_a_message_takes_no_time():
    holes = "assert x, f'" + "{a}1" * 12 + "'"
    assert words(holes, "1" * 2000)
    assert usual_seconds(lambda: words(holes, "1" * 2000)) < 1


def test_rare_errors_are_not_named():
    assert hidden_failure.kind_of_error(IndexError()) == "IndexError"
    assert hidden_failure.kind_of_error(UnicodeError()) == "ValueError"
    assert hidden_failure.kind_of_error(BlockingIOError()) == "an error"
    kind = hidden_failure.kind_of_error(NotImplementedError())
    assert kind.endswith("not answered yet")


def test_one_known_text_remains_of_a_line():
    texts = hidden_tests.visible_texts(('m = f"{name} is wrong"; n = "bias"',))
    assert hidden_failure.only_known("h_17 is wrong: bias (731954862)", texts) == (
        "… is wrong …"
    )
    assert hidden_failure.only_known("731954862", texts) == ""
    assert hidden_failure.only_known("anything", []) == ""


def verdict(bench, student, test, locked="import numpy as np"):
    (report,) = bench.verdicts(("locked", locked), ("student", student), ("test", test))
    assert report.failure is not None
    return report


def test_visible_checks_tell_everything(bench):
    error = verdict(bench, "def f(x): return 7", "assert f(1) == 2, f'got {f(1)}'")
    assert error.public == error.message == "AssertionError: got 7"


def test_hidden_checks_tell_the_fixed_words(bench):
    error = verdict(bench, "def f(x): return x + (x < 5)", SOURCE)
    assert error.message == "AssertionError: got 41 for the large case"
    assert error.public == "a hidden check failed: got … for the large case"


def test_student_errors_in_hidden_checks_tell_their_type_only(bench):
    student = """
def f(x):
    if x > 5: raise type('E41', (ValueError,), {})(f'x was {x}')
    return x + 1
"""
    error = verdict(bench, student, SOURCE)
    assert error.message == "E41: x was 41"
    assert error.public == "in a hidden check your code raised ValueError"


def test_words_of_locked_helpers_are_shown(bench):
    locked = "def agree(a, b, name): assert a == b, f'{name} is not right: {a}'"
    test = "### BEGIN HIDDEN TESTS\nagree(f(41), 42, 'the answer')\n"
    test += "### END HIDDEN TESTS\nother = 'the answer'"
    error = verdict(bench, "def f(x): return x", test, locked)
    assert error.message == "AssertionError: the answer is not right: 41"
    assert error.public == "a hidden check failed: the answer is not right: …"


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
    assert reports[0].failure is None
    assert "41" in reports[1].message
    assert "41" not in reports[1].public


def test_words_beside_part_of_the_points(bench):
    student = "def f(x):\n    print('spy', x)\n    return -x"
    shown = 'if f(3) != 3:\n    print("look at the sign", f(5))\n'
    secret = 'if f(731) != 731:\n    print("look at the sign", f(731))\n'
    marks = "### BEGIN HIDDEN TESTS\n{}### END HIDDEN TESTS\n"
    (open_report,) = bench.verdicts(("student", student), ("test", shown + "2.5"))
    assert open_report.score == 2.5
    assert open_report.message == open_report.public == "look at the sign -5"
    test = shown + marks.format(secret) + "2.5"
    (report,) = bench.verdicts(("student", student), ("test", test))
    assert report.message == "look at the sign -5\nlook at the sign -731"
    assert report.public == "look at the sign …"
    assert "spy 731" in str(report.outputs)
