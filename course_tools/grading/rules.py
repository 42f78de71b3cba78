"""The rules of a problem set: read from its notebook, checked, and put into words.

They stand in one place, the metadata of the instructor's notebook:

    "course_rules": {
      "judge_alone": ["referee"],
      "modules": {"all": ["numpy"], "recall": ["numpy", "torch"]},
      "seconds": {"recall": 8},
      "seeded": {"recall": "train_recall"},
      "arguments_unchanged": {"all": true, "gradient_check": false}
    }

docs/writing_tests.md says what each of them means to a student.
"""

import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from course_tools.errors import CommandError

FIELD = "course_rules"  # of the notebook's metadata
ALL = "all"  # questions that are not named themselves
# Python's own modules are free, but not those by which others could be fetched
ROUTES = frozenset({"importlib", "runpy", "ctypes", "gc", "pkgutil"})
LOOKING = frozenset({"matplotlib", "IPython", "ipywidgets"})  # to look at results
FREE = (frozenset(sys.stdlib_module_names) | LOOKING) - ROUTES


@dataclass(frozen=True)
class Rules:
    """What answers to one notebook may do; empty: whatever they like."""

    judge_alone: tuple[str, ...] = ()  # ids of locked cells that students' code lacks
    modules: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by question
    seconds: dict[str, float] = field(default_factory=dict)  # by question, for a call
    seeded: dict[str, str] = field(default_factory=dict)  # by question: the function
    arguments_unchanged: dict[str, bool] = field(default_factory=dict)  # by question

    def keeps_arguments(self, question: str) -> bool:
        """Must an answer to this question leave its arguments as they are?"""
        unchanged = self.arguments_unchanged
        return unchanged.get(question, unchanged.get(ALL, False))

    def modules_in(self, question: str) -> tuple[str, ...] | None:
        """The modules an answer to this question may use; None: all there are."""
        return self.modules.get(question, self.modules.get(ALL))

    @property
    def modules_anywhere(self) -> tuple[str, ...] | None:
        """Those that may be used in some question; None: no rule says so."""
        if not self.modules:
            return None
        return tuple(
            sorted({name for names in self.modules.values() for name in names})
        )

    @property
    def modules_everywhere(self) -> tuple[str, ...]:
        """Those that may be used in every question."""
        lists = [set(names) for names in self.modules.values()]
        return tuple(sorted(set.intersection(*lists))) if ALL in self.modules else ()

    @property
    def in_words(self) -> tuple[str, ...]:
        """One line for each rule, for the report."""
        lines = [
            f"modules{_in(question)}: {spoken(names)}"
            for question, names in self.modules.items()
        ]
        lines += [f"{q}: {s:g} s of processor a call" for q, s in self.seconds.items()]
        lines += [
            f"{q}: {name} repeats itself by its seed" for q, name in self.seeded.items()
        ]
        for question, unchanged in self.arguments_unchanged.items():
            may = "are not" if unchanged else "may be"
            lines.append(f"arguments{_in(question)} {may} changed in place")
        if self.judge_alone:
            lines.append(f"for the judge alone: {', '.join(self.judge_alone)}")
        return tuple(lines)


def _in(question: str) -> str:
    return "" if question == ALL else f" in {question}"


def spoken(modules: Collection[str]) -> str:
    """`numpy and torch`; Python's own modules are not named."""
    *first, last = modules or ("Python's own",)
    return f"{', '.join(first)} and {last}" if first else last


def read(
    metadata: Mapping[str, Any],
    where: str,
    questions: Collection[str],
    locked: Collection[str],
) -> Rules:
    """The rules in a notebook's metadata; CommandError, in one line, for a bad one.

    `questions` and `locked` are the ids of its tests and of its other locked cells.
    """
    given = metadata.get(FIELD)
    if given is None:
        return Rules()

    def require(holds: object, words: str) -> None:
        if not holds:
            raise CommandError(f"{where}: {FIELD}: {words}")

    require(isinstance(given, dict), "must be a table of rules")
    unknown = sorted(set(given) - set(READERS))
    require(not unknown, f"there is no rule {', '.join(map(repr, unknown))}")
    for rule, value in given.items():
        READERS[rule](value, rule, require)
    for rule in ("modules", "seconds", "seeded", "arguments_unchanged"):
        named = given.get(rule, {})
        odd = sorted(set(named) - {*questions, ALL}) if isinstance(named, dict) else []
        require(not odd, f"{rule}: there is no question {', '.join(odd)}")
    odd = sorted(set(given.get("judge_alone", ())) - set(locked))
    require(not odd, f"judge_alone: there is no locked cell {', '.join(odd)}")
    return _frozen(given)


def _frozen(given: dict[str, Any]) -> Rules:
    modules = given.get("modules", {})
    by_question = {ALL: modules} if isinstance(modules, list) else modules
    unchanged = given.get("arguments_unchanged", {})
    return Rules(
        judge_alone=tuple(given.get("judge_alone", ())),
        modules={q: tuple(names) for q, names in by_question.items()},
        seconds={q: float(s) for q, s in given.get("seconds", {}).items()},
        seeded=dict(given.get("seeded", {})),
        arguments_unchanged=dict(unchanged) if unchanged is not True else {ALL: True},
    )


Require = Callable[[object, str], None]


def _names(value: Any, rule: str, require: Require) -> None:
    fine = isinstance(value, list) and all(isinstance(name, str) for name in value)
    require(fine, f"{rule} must be a list of names")


def _modules(value: Any, rule: str, require: Require) -> None:
    lists = value.values() if isinstance(value, dict) else [value]
    for names in lists:
        _names(names, rule, require)
        odd = [name for name in names if not name.isidentifier()]
        require(not odd, f"{rule}: {odd and odd[0]!r} is no name of a module")


def _seconds(value: Any, rule: str, require: Require) -> None:
    require(isinstance(value, dict), f"{rule} must name questions: {{question: 8}}")
    fine = all(type(s) in (int, float) and 0 < s < 1e6 for s in value.values())
    require(fine, f"{rule} must be positive numbers")


def _functions(value: Any, rule: str, require: Require) -> None:
    require(isinstance(value, dict), f"{rule} must be a table {{question: function}}")
    fine = all(isinstance(n, str) and n.isidentifier() for n in value.values())
    require(fine, f"{rule} must name functions")


def _truth(value: Any, rule: str, require: Require) -> None:
    values = value.values() if isinstance(value, dict) else [value]
    fine = value is not False and all(isinstance(v, bool) for v in values)
    require(fine, f"{rule} must be true, or a table {{question: true or false}}")


READERS: dict[str, Callable[[Any, str, Require], None]] = {
    "judge_alone": _names,
    "modules": _modules,
    "seconds": _seconds,
    "seeded": _functions,
    "arguments_unchanged": _truth,
}
