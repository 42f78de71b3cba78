"""What the parts of grading tell each other, as frozen dataclasses.

`validate.encode` and `validate.decode` carry them from process to process. Lengths
and ranges stand in the annotations and are checked wherever a message arrives.
"""

import functools
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from course_tools.grading.limits import (
    ERROR_NAME_CHARACTERS,
    MESSAGE_CHARACTERS,
    TRACEBACK_CHARACTERS,
    VALUE_CHARACTERS,
    Limits,
)
from course_tools.grading.rules import Rules
from course_tools.grading.validate import (
    BadMessage,
    Between,
    Longest,
    decode,
    encode,
)

Role = Literal["student", "locked", "test"]
Side = Literal["student", "judge"]
Count = Annotated[int, Between(0)]
Amount = Annotated[float, Between(0.0)]  # of seconds, points, …
Sentence = Annotated[str, Longest(MESSAGE_CHARACTERS)]
Files = dict[str, bytes]  # by relative path
Outputs = list[Any]  # as student code reports them; pages.outputs makes them safe


# ---- the plan: from the coordinator to the judge ----


@dataclass(frozen=True)
class SolutionFacts:
    """What the instructor's version says about the names that students are to write."""

    names: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    operators: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by class
    members: tuple[str, ...] = ()
    defines: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by cell
    changes: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by cell
    imports: tuple[str, ...] = ()
    docs: dict[str, str] = field(default_factory=dict)  # docstrings, by name

    def allows(self, class_name: str, operator: str) -> bool:
        """May `operator` be passed on to a student object of this class?"""
        return operator in self.operators.get(class_name, ())


@dataclass(frozen=True)
class Cell:
    """One code cell of a trusted notebook, and who runs it."""

    index: Count  # in the notebook
    role: Role
    source: str
    grade_id: str | None = None
    points: Amount = 0.0
    hidden: tuple[Count, ...] = ()  # numbers of the lines of hidden checks
    defines: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    judge: bool = False  # a locked cell that the judge runs, too
    alone: bool = False  # … and nobody else
    left_out: bool = False  # a test that has ended the judge: its names stay reserved


@dataclass(frozen=True)
class Plan:
    """What the judge is to do with one notebook; its cells are in notebook order."""

    cells: tuple[Cell, ...]
    prologue: Count  # so many locked cells come before everything else
    limits: Limits
    solution: SolutionFacts
    texts: tuple[str, ...]  # pieces of text that students have anyway
    done: Count = 0  # so many cells have been run beforehand
    rehearse: bool = False  # go through the solution before judges are forked
    rules: Rules = Rules()


@dataclass(frozen=True)
class Job:
    """One notebook of one submission, ready to be run anywhere."""

    plan: Plan
    files: Files
    judge_files: Files
    notebook: str = ""


# ---- what is heard of cells: from the student's process, from the judge ----


@dataclass(frozen=True)
class CellAnswer:
    """What the student's process says of a cell that it has run."""

    outputs: Outputs
    success: bool
    seconds: Amount
    cpu: Amount


@dataclass(frozen=True)
class CellReport:
    """What the judge says of a student's or a locked cell."""

    index: Count
    outputs: Outputs
    success: bool
    seconds: Amount
    cpu: Amount = 0.0
    lost: Sentence | None = None  # why the student's process ended there


@dataclass(frozen=True)
class Failure:
    """Why a question has no points: the error, and where it came from."""

    type: Annotated[str, Longest(ERROR_NAME_CHARACTERS)]
    line: int | None = None  # of the test cell
    traceback: Annotated[str, Longest(TRACEBACK_CHARACTERS)] = ""  # in student code


@dataclass(frozen=True)
class Verdict:
    """What the judge says of a question; `public` is what the student may read."""

    index: Count
    grade_id: str
    score: Amount
    seconds: Amount
    value: Annotated[str, Longest(VALUE_CHARACTERS)] | None = None
    outputs: Outputs = field(default_factory=list)
    failure: Failure | None = None
    message: Sentence = ""
    public: Sentence = ""
    lost: Sentence | None = None
    breach: bool = False  # of a rule of the set; `message` says of which


@dataclass(frozen=True)
class Restart:
    """The judge asks for another student's process."""

    lost: Sentence | None = None


@dataclass(frozen=True)
class Done:
    """The judge has gone through the whole plan."""


CellOutcome = CellReport | Verdict
Event = CellReport | Verdict | Restart | Done
EVENTS: dict[str, type[Event]] = {
    "cell": CellReport,
    "verdict": Verdict,
    "restart": Restart,
    "done": Done,
}
NAMES = {kind: name for name, kind in EVENTS.items()}


def encode_event(event: Event) -> dict[str, Any]:
    return {"event": NAMES[type(event)], **encode(event)}


def decode_event(data: dict[str, Any]) -> Event:
    """Return what the judge says; raises BadMessage if it is nothing known."""
    name = data.get("event")
    if type(name) is not str or name not in EVENTS:
        raise BadMessage("an unknown event")
    fields = {key: value for key, value in data.items() if key != "event"}
    return decode(EVENTS[name], fields)


# ---- warm processes ----


@dataclass(frozen=True)
class Home:
    """Where the fonts are: the first thing that a warm process is told."""

    home: str


@dataclass(frozen=True)
class Warm:
    """Modules to import beforehand, and whether many processes will be forked."""

    modules: tuple[str, ...]
    many: bool = True


@dataclass(frozen=True)
class Fork:
    """Asks for a process of a student or a judge."""

    role: Side
    limits: Limits
    slot: Count
    grouped: bool = True  # it will be put into a control group


@dataclass(frozen=True)
class SplitOff:
    """Asks for a warm process for one notebook."""

    role: Side
    limits: Limits


@dataclass(frozen=True)
class Reap:
    """Asks what a process that has ended used."""

    pid: Count


@dataclass(frozen=True)
class Command:
    """One request to a warm process: one of these."""

    fork: Fork | None = None
    split_off: SplitOff | None = None
    reap: Reap | None = None


@dataclass(frozen=True)
class Errand:
    """What a process that is not forked is started for, and where it reports."""

    role: Side
    limits: Limits
    port: Count
    secret: str
    folder: str  # to work in


@dataclass(frozen=True)
class Usage:
    """What a process used: seconds of the processor, kilobytes."""

    signal: int  # that ended it, or 0
    cpu: Amount
    memory: Count


@dataclass(frozen=True)
class Answer:
    """What a warm process answers."""

    error: str | None = None
    pid: Count = 0
    usage: Usage | None = None


@dataclass(frozen=True)
class Prologue:
    """The first locked cells, for the process that students' are forked from."""

    cells: tuple[Cell, ...]
    limits: Limits
    rules: Rules = Rules()


@dataclass(frozen=True)
class PrologueDone:
    """Whether these cells may be run once for all, and what they showed."""

    fine: bool
    answers: tuple[CellAnswer, ...] = ()
    rehearse: bool = False  # the judge's side: a rehearsal would leave no trace


# ---- results: from the coordinator to gradebook, files and report ----


@dataclass(frozen=True)
class Result:
    """What came of a job."""

    reports: tuple[CellOutcome, ...]
    incidents: tuple[str, ...]
    complete: bool  # False: disturbed from outside, to be tried again
    out_of_time: bool
    cpu: float
    seconds: float
    remarks: tuple[str, ...] = ()  # questions in which the solution loses points

    @functools.cached_property
    def verdicts(self) -> list[Verdict]:
        return [report for report in self.reports if isinstance(report, Verdict)]


@dataclass(frozen=True)
class Question:
    """One question in the report."""

    id: str
    score: float
    max_score: float
    status: str  # passed, partial, failed, breach, timeout, lost, missing
    message: str


@dataclass(frozen=True)
class Row:
    """One submission in the report."""

    student: str
    score: float
    max_score: float
    status: str  # graded, unreadable, not graded, not stored
    seconds: float
    cpu: float
    questions: tuple[Question, ...]
    incidents: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """That a submission is graded: its digest, the terms, the time limit, its row."""

    digest: str
    terms: str
    seconds: float
    row: Row
