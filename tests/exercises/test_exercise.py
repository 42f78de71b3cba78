"""Exercises: every solution is right, every mistake is named, and nothing slips by."""

import importlib
import pkgutil

import numpy as np
import pytest
import torch

from course_lib import exercises
from course_lib.exercises.exercise import Exercise, Exercises, examine, folded

MODULES = [
    module
    for info in pkgutil.iter_modules(exercises.__path__)
    if hasattr(
        module := importlib.import_module(f"course_lib.exercises.{info.name}"),
        "EXERCISES",
    )
]
ALL = [
    (module.EXERCISES, exercise) for module in MODULES for exercise in module.EXERCISES
]
CHECKED = [exercise for _, exercise in ALL if exercise.arguments]
MISTAKES = [(e, *item) for e in CHECKED for item in e.mistakes.items()]


def name(value) -> str | None:
    return f"{value.solution.__name__}" if isinstance(value, Exercise) else None


every_exercise = pytest.mark.parametrize("exercise", CHECKED, ids=name)


def test_a_module_is_called_as_its_lecture():
    assert MODULES
    for module in MODULES:
        assert module.__name__.endswith(f".{module.EXERCISES.lecture}")
        assert module.check == module.EXERCISES.check
        assert module.solution == module.EXERCISES.solution


@every_exercise
def test_the_solution_passes_its_own_check(exercise):
    assert examine(exercise, exercise.solution) == "right"


@pytest.mark.parametrize(("exercise", "sentence", "mistake"), MISTAKES, ids=name)
def test_a_known_mistake_is_named(exercise, sentence, mistake):
    assert examine(exercise, mistake).startswith(f"not yet. {sentence}\n")


@every_exercise
def test_a_constant_does_not_pass(exercise):
    """Each instance's own right result, returned for all of them."""
    for arguments in exercise.cases():
        constant = exercise.solution(*arguments)
        assert "not yet" in examine(exercise, lambda *_, value=constant: value)


@every_exercise
def test_a_result_that_is_nearly_right_does_not_pass(exercise):
    negated = lambda x: ~x if np.asarray(x).dtype == bool else -x  # noqa: E731
    for change in (lambda x: x + 0.01, np.ceil, negated, np.ravel):
        cases = exercise.cases()
        answers = [exercise.solution(*arguments) for arguments in cases]
        if not all(isinstance(a, (int, float, np.ndarray)) for a in answers):
            pytest.skip("not a number or an array")
        if any(
            np.shape(change(a)) != np.shape(a) or np.any(change(a) != a)
            for a in answers
        ):
            wrong = lambda *a, change=change: change(exercise.solution(*a))  # noqa: E731
            assert "not yet" in examine(exercise, wrong), change


@every_exercise
def test_writing_into_an_argument_does_not_pass(exercise):
    def spoils(*arguments):
        right = exercise.solution(*arguments)
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                argument[...] = argument[::-1].copy() + 1
        return right

    if any(isinstance(a, np.ndarray) for a in exercise.cases()[0]):
        assert "changes its arguments" in examine(exercise, spoils)


@every_exercise
def test_open_and_failing_answers(exercise):
    for stub in (None, ...):
        verdict = examine(exercise, lambda *_, stub=stub: stub)
        assert verdict == "not attempted yet"
    verdict = examine(exercise, lambda *_: 1 / 0)
    assert verdict.startswith("your function raised ZeroDivisionError: division by")
    for nonsense in ("forty-two", -123.0, 0.1234, [1, [2, 3]], {}):
        verdict = examine(exercise, lambda *_, nonsense=nonsense: nonsense)
        assert verdict.startswith("not yet")


@pytest.mark.parametrize(("lecture", "exercise"), ALL, ids=name)
def test_the_solution_is_shown_folded(lecture, exercise):
    text = folded(exercise)
    assert text.startswith("<details><summary>Exercise")
    assert "open" not in text.partition(">")[0]
    code = text.split("```python\n")[1].split("```")[0]
    compile(code, "solution", "exec")
    assert f"def {exercise.solution.__name__}(" in code
    assert "lambda" not in code.splitlines()[0]


# ------------------------------------------------- made exercises: how a check speaks


def doubled(x, times):
    return 2 * x * times


def grid(rng):
    return rng.integers(1, 9, (2, 3)).astype(float), int(rng.integers(2, 5))


MADE = Exercise(1, "**", doubled, grid, {"The factor 2 is missing.": np.multiply})


def test_a_failure_shows_input_entry_got_and_expected():
    def last_column_wrong(x, times):
        result = 2 * x * times
        result[1, 2] += 0.5
        return result

    x, times = MADE.cases()[0]
    right = doubled(x, times)[1, 2]
    rows = ", ".join(str(row).replace(". ", "., ").replace(".]", ".]") for row in x)
    assert examine(MADE, last_column_wrong) == (
        "not yet. This instance is wrong:\n"
        f"  input     x = [{rows}], times = {times}\n"
        "  entry     [1, 2]\n"
        f"  got       {right + 0.5:.4g}\n"
        f"  expected  {right:.4g}"
    )


def test_a_named_mistake_shows_the_same():
    verdict = examine(MADE, np.multiply)
    assert verdict.startswith("not yet. The factor 2 is missing.\n  input")
    assert "  expected  " in verdict


def test_a_mistake_on_one_instance_only_is_not_called_by_that_name():
    def sometimes(x, times):
        return x * times if x[0, 0] == MADE.cases()[0][0][0, 0] else 3 * x * times

    assert "This instance is wrong" in examine(MADE, sometimes)


def test_an_exception_shows_the_line_and_the_input():
    def broken(x, times):
        return x.no_such_thing

    verdict = examine(MADE, broken)
    assert "  in line   return x.no_such_thing" in verdict
    assert "  input     x = " in verdict


def test_an_answer_that_is_right_by_luck_at_first_is_wrong():
    first = MADE.cases()[0]

    def knows_the_first(x, times):
        return doubled(x, times) if np.array_equal(x, first[0]) else x

    assert "not yet" in examine(MADE, knows_the_first)


@pytest.mark.parametrize(
    ("expected", "near", "wrong", "words"),
    [
        (1_000_000, 1_000_000.0, 1_000_001, "1000001"),  # counts are exact
        (0.25, 0.25 + 1e-8, 0.26, "0.26"),
        ([1.0, 2.0], torch.tensor([1.0, 2.0]), [1.0, 2.5], "[1]"),
        ((np.eye(2), "yes"), (np.eye(2), "yes"), (np.eye(2), "no"), "'no'"),
        ({"W": np.ones(3)}, {"W": [1, 1, 1]}, {"W": [1, 1, 2]}, "['W'][2]"),
        ({"W": np.ones(3)}, {"W": np.ones(3)}, {"V": np.ones(3)}, "entries ['V']"),
        ({"W": 1}, {"W": 1}, 5, "a dictionary with"),
        (np.array([np.nan, np.inf]), [np.nan, np.inf], [0, np.inf], "nan"),
        (True, True, 1, "True"),
        ("word", "word", "Word", "'Word'"),
        (np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((3, 2)), "shape (3, 2)"),
        ((np.zeros(2), np.zeros(3)), (np.zeros(2), np.zeros(3)), 7, "2 results"),
    ],
)
def test_results_of_many_kinds_are_compared(expected, near, wrong, words):
    made = Exercise(1, "*", lambda n: expected, lambda rng: (3,))
    assert examine(made, lambda n: near) == "right"
    verdict = examine(made, lambda n: wrong)
    assert verdict.startswith("not yet")
    assert words in verdict


def test_many_right_answers_are_judged_by_their_fault():
    def fault(got, n):
        return "" if got % n == 0 else "That is no multiple."

    made = Exercise(
        1, "*", lambda n: n, lambda rng: (int(rng.integers(3, 9)),), fault=fault
    )
    assert examine(made, lambda n: 7 * n) == "right"
    assert "That is no multiple.\n  input     n =" in examine(made, lambda n: n + 1)


def test_large_arrays_are_shown_short():
    made = Exercise(
        1, "*", lambda x: x.sum(), lambda rng: (rng.uniform(size=(37, 41)),)
    )
    verdict = examine(made, lambda x: 0.0)
    assert "an array of shape (37, 41) that begins " in verdict
    assert len(verdict) < 300


def test_wrong_descriptions_of_an_exercise_are_refused():
    with pytest.raises(ValueError, match="difficulty"):
        Exercise(1, "****", doubled, grid)
    with pytest.raises(ValueError, match="three instances"):
        Exercise(1, "*", doubled, grid, instances=2)
    with pytest.raises(ValueError, match="numbered from 1"):
        Exercises("made", Exercise(2, "*", doubled, grid))
    made = Exercises("made", Exercise(1, "***", doubled))
    with pytest.raises(ValueError, match="exercises 1 to 1"):
        made.check(2, doubled)
    with pytest.raises(ValueError, match="open: compare"):
        made.check(1, doubled)
