"""An exercise: how it is checked, which mistakes are known, and its solution.

A lecture's module of exercises ends with

    EXERCISES = Exercises("simple_rnn", Exercise(...), Exercise(...))
    check, solution = EXERCISES.check, EXERCISES.solution

and the notebook says `exercises.check(1, my_function)` and, in the cell below it,
`exercises.solution(1)`. [simple_rnn.py](simple_rnn.py) is the model.
"""

import inspect
import textwrap
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from IPython.display import Markdown, display

from course_lib.exercises import record
from course_lib.exercises.difference import (
    Difference,
    first_difference,
    own_copy,
    short,
    unchanged,
)

STARS = {"*": "five minutes", "**": "half an hour", "***": "an experiment to design"}


@dataclass(frozen=True)
class Exercise:
    """One exercise of a lecture.

    stars      * five minutes, ** half an hour, *** an experiment to design.
    solution   real code: it is shown to students and gives the expected results.
    arguments  makes the arguments of one random instance from a NumPy generator. None:
               an open exercise, which is not checked and has a solution to compare.
    mistakes   maps a sentence to a function that makes this mistake. It is named when
               it gives what the student's function gives, on every instance.
    fault      for an exercise with many right answers: takes the result, then the
               arguments, and returns what is wrong with it, or nothing.
    helpers    functions that the solution calls, shown before it.
    """

    number: int
    stars: str
    solution: Callable
    arguments: Callable[[np.random.Generator], tuple] | None = None
    mistakes: Mapping[str, Callable] = field(default_factory=dict)
    fault: Callable[..., str] | None = None
    helpers: tuple[Callable, ...] = ()
    instances: int = 5
    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        if self.stars not in STARS:
            raise ValueError(f"difficulty {self.stars!r} is none of {', '.join(STARS)}")
        if self.instances < 3:
            raise ValueError("an exercise is checked on three instances at least")

    @property
    def title(self) -> str:
        return f"Exercise {self.number} {'★' * len(self.stars)}"

    def cases(self) -> list[tuple]:
        """The arguments of every instance, the same ones each time."""
        if self.arguments is None:
            return []
        rng = np.random.default_rng(self.number)
        return [self.arguments(rng) for _ in range(self.instances)]

    def difference(self, got: Any, arguments: tuple) -> Difference | str | None:
        """What is wrong with a result, if anything."""
        if self.fault:
            return self.fault(got, *own_copy(arguments)) or None
        expected = self.solution(*own_copy(arguments))
        return first_difference(got, expected, self.tolerance)

    def makes(self, mistake: Callable, cases: list[tuple], results: list) -> bool:
        """Whether this mistake gives the same results on every instance."""
        for arguments, got in zip(cases, results, strict=True):
            try:
                value = mistake(*own_copy(arguments))
            except Exception:  # a mistake need not work everywhere
                return False
            if first_difference(got, value, self.tolerance):
                return False
        return True


class Exercises:
    """The exercises of a lecture."""

    def __init__(self, lecture: str, *exercises: Exercise) -> None:
        self.lecture = lecture
        self.by_number = {exercise.number: exercise for exercise in exercises}
        if list(self.by_number) != list(range(1, len(exercises) + 1)):
            raise ValueError(f"exercises of {lecture} are not numbered from 1")

    def __iter__(self) -> Iterator[Exercise]:
        return iter(self.by_number.values())

    def __getitem__(self, number: int) -> Exercise:
        if number not in self.by_number:
            raise ValueError(f"this lecture has exercises 1 to {len(self.by_number)}")
        return self.by_number[number]

    def check(self, number: int, answer: Callable) -> None:
        """Print what can be said about an answer; never raises because of it."""
        exercise = self[number]
        if exercise.arguments is None:
            raise ValueError(
                f"{exercise.title} is open: compare with solution({number})"
            )
        verdict = examine(exercise, answer)
        if verdict == RIGHT:
            record.passed(self.lecture, number)
            verdict = f"right, on {exercise.instances} random instances"
        print(f"{exercise.title}: {verdict}")

    def solution(self, number: int) -> None:
        """Show a solution, folded; it opens with a click."""
        display(Markdown(folded(self[number])))


RIGHT, OPEN = "right", "not attempted yet"


def examine(exercise: Exercise, answer: Callable) -> str:
    """Try the answer on every instance; the verdict after the exercise's name."""
    cases, results = exercise.cases(), []
    for arguments in cases:
        given = own_copy(arguments)
        try:
            results.append(answer(*given))
        except Exception as error:
            return _raised(exercise, error, arguments)
        if results[0] is None or results[0] is Ellipsis:
            return OPEN
        if not unchanged(arguments, given):
            sentence = "Your function changes its arguments; work on a copy."
            return f"not yet. {sentence}{_inputs(exercise, arguments)}"
    return _compared(exercise, cases, results)


def _compared(exercise: Exercise, cases: list[tuple], results: list) -> str:
    """The first instance that is wrong, with the mistake's name if it is known."""
    for arguments, got in zip(cases, results, strict=True):
        different = exercise.difference(got, arguments)
        if different is None:
            continue
        if isinstance(different, str):
            details = f"{_inputs(exercise, arguments)}\n  got       {short(got)}"
            return f"not yet. {different}{details}"
        named = (
            sentence
            for sentence, mistake in exercise.mistakes.items()
            if exercise.makes(mistake, cases, results)
        )
        sentence = next(named, "This instance is wrong:")
        details = f"{_inputs(exercise, arguments)}{_outputs(different)}"
        return f"not yet. {sentence}{details}"
    return RIGHT


def _raised(exercise: Exercise, error: Exception, arguments: tuple) -> str:
    """The exception, the student's line that raised it, and the input."""
    line = ""
    frames = traceback.extract_tb(error.__traceback__)[1:]  # without this module's
    if frames and frames[0].line:
        line = f"\n  in line   {frames[0].line}"
    kind = type(error).__name__
    return f"your function raised {kind}: {error}{line}{_inputs(exercise, arguments)}"


def _inputs(exercise: Exercise, arguments: tuple) -> str:
    names = inspect.signature(exercise.solution).parameters
    lines = [f"{name} = {short(v)}" for name, v in zip(names, arguments, strict=True)]
    if sum(map(len, lines)) < 60:
        lines = [", ".join(lines)]
    return "".join(
        f"\n  {'input' if not row else '':8}  {line}" for row, line in enumerate(lines)
    )


def _outputs(different: Difference) -> str:
    entry = f"\n  entry     {different.where}" if different.where else ""
    return f"{entry}\n  got       {different.got}\n  expected  {different.expected}"


def folded(exercise: Exercise) -> str:
    """The solution's own source as Markdown that opens with a click.

    Markdown and not HTML, so that JupyterLab and the book colour the code as they
    colour all code.
    """
    parts = [inspect.getsource(part) for part in (*exercise.helpers, exercise.solution)]
    code = "\n\n".join(textwrap.dedent(part).rstrip() + "\n" for part in parts)
    summary = f"{exercise.title}: a solution (open it after an attempt)"
    return (
        f"<details><summary>{summary}</summary>\n\n```python\n{code}```\n\n</details>"
    )
