"""Hidden regions of a test: where they are, and what is left without them."""

from course_tools.grading.plan import hidden_tests

SOURCE = """assert f(1) == 2, "one"
### BEGIN HIDDEN TESTS
secret = 41
assert f(secret) == 42, f"got {f(secret)} for the large case"
### END HIDDEN TESTS
assert f(3) == 4, "three"
"""


def test_regions():
    assert hidden_tests.hidden_lines(SOURCE) == {2, 3, 4, 5}
    shown = hidden_tests.without_hidden(SOURCE)
    assert shown.split("\n")[:2] == ['assert f(1) == 2, "one"', SOURCE.split("\n")[5]]
    assert "secret" not in shown


def test_an_unclosed_region_hides_the_rest():
    assert hidden_tests.without_hidden("a\n# BEGIN HIDDEN TESTS\nb\nc") == "a"


def test_what_counts_as_before_the_hidden_checks():
    loop = "x = 1\nfor i in range(2):\n    f(i)\n    # BEGIN HIDDEN TESTS\n    g(i)"
    lines = sorted(hidden_tests.hidden_lines(loop))
    assert not hidden_tests.reached(loop, lines, 1)
    # Its second turn comes after a hidden check.
    assert hidden_tests.reached(loop, lines, 3)
    assert hidden_tests.reached(loop, lines, None)
    assert not hidden_tests.reached("f()", [], None)


def test_short_texts_cannot_be_used_to_spell():
    assert hidden_tests.visible_texts(("a = 'a'; b = 'b'; c = 'abc'",)) == ()
