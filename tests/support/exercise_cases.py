"""The tests that the checks of every lecture's exercises must pass."""

import re
from collections.abc import Callable

import pytest

from course_lib.exercises.exercise import Exercises, examine

Check = Callable[[Callable], None]


def verdict(capsys: pytest.CaptureFixture, check: Check, answer: Callable) -> str:
    """The one line that a check prints about an answer."""
    check(answer)
    (line,) = capsys.readouterr().out.splitlines()
    return line


def variants(
    exercises: Exercises,
    right: list[tuple[int, Callable]],
    wrong: list[tuple[int, Callable, str]],
) -> tuple[Callable, Callable]:
    """Tests of other right answers than the solution, and of answers that go wrong as a
    student's do, with words of the verdict.

    A module says `test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)`.
    """

    @pytest.mark.parametrize(("number", "answer"), right)
    def test_right(number, answer):
        assert examine(exercises[number], answer) == "right"

    @pytest.mark.parametrize(("number", "answer", "words"), wrong)
    def test_wrong(number, answer, words):
        verdict = examine(exercises[number], answer)
        assert verdict.startswith("not yet")
        assert words in verdict

    return test_right, test_wrong


def by_check(cases: dict[Check, list[tuple]]) -> list[tuple]:
    """{check: [(answer, words), ...]} as a list of (check, answer, words)."""
    return [(check, *case) for check, group in cases.items() for case in group]


def exercise_tests(
    right: list[tuple[Check, Callable]], wrong: list[tuple[Check, Callable, str]]
) -> tuple[Callable, Callable, Callable]:
    """Tests of (check, right answer) and (check, wrong answer, words of its verdict).

    A module says `test_right, test_wrong, test_open = exercise_tests(RIGHT, WRONG)`.
    """

    @pytest.mark.parametrize(("check", "answer"), right)
    def test_right(check, answer, capsys):
        assert re.search(": right($|, )", verdict(capsys, check, answer))

    @pytest.mark.parametrize(("check", "answer", "words"), wrong)
    def test_wrong(check, answer, words, capsys):
        line = verdict(capsys, check, answer)
        assert "not yet" in line
        assert words in line

    @pytest.mark.parametrize("check", dict.fromkeys(check for check, _ in right))
    def test_open(check, capsys):
        """An empty stub is no mistake, an exception is told, nonsense is not right."""
        for stub in (None, ...):
            line = verdict(capsys, check, lambda *_, stub=stub: stub)
            assert line.endswith(": not attempted yet")
        line = verdict(capsys, check, lambda *_: 1 / 0)
        assert "raised ZeroDivisionError: division by zero" in line
        for nonsense in ("forty-two", -123.0, 0.1234):
            line = verdict(capsys, check, lambda *_, nonsense=nonsense: nonsense)
            assert "not yet" in line

    return test_right, test_wrong, test_open
