"""What a student's process may answer, field by field.

The judge reads nothing else: a field that is unknown, too long or of another type
makes the whole answer unreadable. What a value is made of is checked by `decode`.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from course_tools.grading.limits import (
    CLASS_BASES,
    NAME_CHARACTERS,
    STUDENT_TEXT_CHARACTERS,
    WARNINGS,
)
from course_tools.grading.validate import Between, Longest

Text = Annotated[str, Longest(STUDENT_TEXT_CHARACTERS)]
Name = Annotated[str, Longest(NAME_CHARACTERS)]
Number = Annotated[int, Between(0, 1 << 60)]
Skeleton = Any  # checked by decode


@dataclass(frozen=True)
class Raised:
    """An exception of student code."""

    type: str
    bases: Annotated[list[str], Longest(10 * CLASS_BASES)]
    handle: Number
    text: Text
    traceback: Text = ""
    state: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StudentAnswer:
    """The answer to any request but a cell."""

    kind: Literal["answer"]
    value: Skeleton = None
    missing: bool = False  # there is no such name
    existed: bool = False  # there was such a name
    tape: Number | None = None  # of the graph that a call has left
    changes: list[list[Skeleton]] = field(default_factory=list)
    mirrors: list[list[Skeleton]] = field(default_factory=list)
    warnings: Annotated[list[list[Text]], Longest(WARNINGS)] = field(
        default_factory=list
    )
    printed: Text = ""
    barred: Name = ""  # what was used against the rules of the set
    error: Raised | None = None
    # of a cell; see messages.CellAnswer
    outputs: Skeleton = None
    success: Skeleton = None
    seconds: Skeleton = None
    cpu: Skeleton = None
