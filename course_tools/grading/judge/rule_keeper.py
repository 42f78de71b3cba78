"""The rules of a set while a question is asked: what is watched, and what was broken.

The judge measures by itself where it can: the processor's time of the student's
process is the kernel's figure, changed arguments are seen in what comes back. That a
barred module was used, the student's process says; if it does not, a test that used
it has been passed by an answer that took the guard apart.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from course_tools.grading import processor_time
from course_tools.grading.judge.repeat import Recorded
from course_tools.grading.limits import SHORT_TEXT_CHARACTERS
from course_tools.grading.rules import Rules, spoken

DOTTED = re.compile(r"[A-Za-z_][\w.]*")
UNKNOWN_NAME = re.compile(r"name '(\w+)' is not defined")
# what students try; any other name could be a message of hidden inputs
USUAL = frozenset(["torch", "scipy", "pandas", "sklearn", "tensorflow", "jax"])


class RuleBroken(BaseException):
    """A rule of the set was broken; not an Exception, so that no test catches it."""


class RuleKeeper:
    """Watches over one notebook; `broken` is the sentence about this question.

    `told` says the same in words that neither student code nor a hidden check chooses.
    """

    def __init__(self, rules: Rules, alone: Iterable[str] = ()) -> None:
        """`alone` are the names that cells for the judge alone define."""
        self.rules = rules
        self.alone = frozenset(alone)
        self.process = 0  # the student's, as the judge may know it
        self.begin("")

    def begin(self, question: str) -> None:
        """A question starts: nothing is broken yet."""
        self.broken = self.told = ""
        self.modules = self.rules.modules_in(question)
        self.seconds = self.rules.seconds.get(question)
        self.keeps_arguments = self.rules.keeps_arguments(question)
        self.seeded = self.rules.seeded.get(question, "")
        self.begun = 0.0
        self.recorded: Recorded | None = None  # a call of the seeded function

    def say(self, sentence: str, told: str = "") -> str:
        if not self.broken:
            self.broken, self.told = sentence, told or sentence
        return self.broken

    # -- processor time -----------------------------------------------------------
    def start_clock(self) -> None:
        if self.seconds is not None:
            self.begun = self._used()

    def over_time(self) -> str:
        """The sentence about a call that computes for too long, or nothing."""
        if self.seconds is None or self._used() - self.begun <= self.seconds:
            return ""
        allowed = f"{self.seconds:g} s of computing are allowed"
        return self.say(f"time is up: {allowed} for each call of your function")

    def _used(self) -> float:
        """Seconds of the processor that the student's process has used so far."""
        return processor_time.seconds_of(self.process)

    # -- arguments ----------------------------------------------------------------
    def unchanged(self, changes: Sequence[Any], sent: Sequence[Any], args: Any) -> None:
        """Raise RuleBroken if a call has changed what it was given.

        The changes are not carried out: a later question may need the same data.
        """
        if not changes or not self.keeps_arguments:
            return
        changed = {id(sent[position]) for position, _ in changes}
        numbers = [n for n, a in enumerate(args, 1) if id(a) in changed]
        which = f"argument number {numbers[0]}" if numbers else "an argument"
        words = "{} was changed in place: work on a copy"
        told = words.format("an argument")
        raise RuleBroken(self.say(words.format(which), told))

    # -- names and modules ----------------------------------------------------------
    def heard_of(self, thing: Any) -> None:
        """The student's process says that something barred was used."""
        fine = type(thing) is str and len(thing) <= SHORT_TEXT_CHARACTERS
        name = thing if fine and DOTTED.fullmatch(thing) else "a module"
        allowed = spoken(self.modules or ())
        words = f"was used: answers to this question may use {allowed} alone"
        top = name.partition(".")[0]
        usual = top in USUAL.union(self.rules.modules_anywhere or ())
        self.say(f"{name} {words}", f"{top if usual else 'a module'} {words}")

    def look_at(self, error: BaseException | None) -> None:
        """Was a name missed that is the judge's alone?"""
        found = UNKNOWN_NAME.search(str(error)) if _is_students(error) else None
        if found and found[1] in self.alone:
            words = "belongs to the tests: answers cannot use it"
            self.say(f"{found[1]} {words}", f"a name {words}")


def _is_students(error: BaseException | None) -> bool:
    return isinstance(error, NameError) and hasattr(error, "student_traceback")
