"""The tests that the checks of every lecture's exercises must pass."""

from collections.abc import Callable

import pytest

Check = Callable[[Callable], None]


def exercise_tests(
    right: list[tuple[Check, Callable]], wrong: list[tuple[Check, Callable, str]]
) -> tuple[Callable, Callable, Callable]:
    """Tests of (check, right answer) and (check, wrong answer, words of its verdict).

    A module says `test_right, test_wrong, test_open = exercise_tests(RIGHT, WRONG)`.
    """

    @pytest.mark.parametrize(("check", "answer"), right)
    def test_right(check, answer, capsys):
        check(answer)
        assert capsys.readouterr().out.endswith(": right\n")

    @pytest.mark.parametrize(("check", "answer", "words"), wrong)
    def test_wrong(check, answer, words, capsys):
        check(answer)
        line = capsys.readouterr().out
        assert "not yet" in line
        assert words in line

    @pytest.mark.parametrize("check", dict.fromkeys(check for check, _ in right))
    def test_open(check, capsys):
        """An empty stub is no mistake, an exception is told, nonsense is not right."""
        for stub in (None, ...):
            check(lambda *_, stub=stub: stub)
            assert capsys.readouterr().out.endswith(": not attempted yet\n")
        check(lambda *_: 1 / 0)
        assert "raised ZeroDivisionError" in capsys.readouterr().out
        check(lambda *_: "forty-two")
        assert "not yet" in capsys.readouterr().out

    return test_right, test_wrong, test_open
