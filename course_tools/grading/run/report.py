"""What the person who grades reads: a table, a summary, last lines, or JSON."""

import collections
import json
import statistics
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from course_tools.grading.messages import Question, Row
from course_tools.grading.text import printable
from course_tools.grading.validate import encode

GIVEN_UP = ("not graded", "not stored")  # what the next run tries again
GOOD = ("passed", "partial")
PLAIN_WIDTH = 231  # columns of the table where there is no terminal


@dataclass(frozen=True)
class Report:
    """What came of one run over one assignment."""

    assignment: str
    rows: tuple[Row, ...]
    seconds: float
    graded: int  # by this run
    absent: tuple[str, ...] = ()  # in the gradebook, but not handed in here
    remarks: tuple[str, ...] = ()  # questions in which the solution loses points
    to_mark: int = 0  # answers that wait for a person
    left_out: dict[str, str] = field(default_factory=dict)  # beside the submissions
    path: str = ""  # of the file that keeps the text
    rules: tuple[str, ...] = ()  # of the set, in words

    def as_json(self) -> str:
        """Return the one object that `--json` prints.

        `remarks` name questions in which the instructor's own solution loses points,
        `left_out` what was found beside the submissions.
        """
        report = {
            "assignment": self.assignment,
            "seconds": round(self.seconds, 3),
            "submissions": [encode(row) for row in self.rows],
        }
        if self.remarks:
            report["remarks"] = list(self.remarks)
        if self.left_out:
            report["left_out"] = self.left_out
        return json.dumps(report)

    def as_text(self, width: int | None = None) -> str:
        """Return the whole report, in lines that fit a terminal of this width."""
        common = common_incidents(self.rows)
        rows = [_without(row, common) for row in self.rows]
        parts = [table(rows, width), summary(rows, width), self.ending(width)]
        return "\n\n".join(filter(None, parts))

    def ending(self, width: int | None = None) -> str:
        """Return the last lines: what a person has to do something about."""
        common = common_incidents(self.rows)
        rows = [_without(row, common) for row in self.rows]
        odd = sorted(filter(is_odd, rows), key=urgency)
        lists = {
            "rules of the set": self.rules,
            "against the rules": breaches(rows),
            "look at": [f"{row.student}: {trouble(row)}" for row in odd],
            "left out": [f"{name}: {why}" for name, why in self.left_out.items()],
            "in the gradebook, but not handed in here": self.absent,
            "the same in most submissions": [f"{n} x {t}" for t, n in common.items()],
        }
        lines = _scores(self.rows)
        for title, items in lists.items():
            lines += _some(title, items, width)
        for text in self.remarks:
            lines.append(f"note: the instructor's own solution loses points in {text}")
        if self.to_mark:
            lines.append(waiting(self.to_mark))
        return "\n".join([*lines, self._counts()])

    def _counts(self) -> str:
        given_up = sum(row.status in GIVEN_UP for row in self.rows)
        before = len(self.rows) - self.graded - given_up
        text = f"{self.graded} graded, {before} already graded"
        if given_up:
            text += f", {given_up} not graded: run the same command again"
        return text


def _without(row: Row, common: dict[str, int]) -> Row:
    """Return the row without the incidents that most of them share."""
    own = tuple(text for text in row.incidents if text not in common)
    return replace(row, incidents=own)


def _scores(rows: Sequence[Row]) -> list[str]:
    good = sorted(row.score for row in rows if row.status == "graded")
    if not good:
        return []
    mean, middle = sum(good) / len(good), statistics.median(good)
    spread = f"from {good[0]:g} to {good[-1]:g}"
    title = "1 score" if len(good) == 1 else f"{len(good)} scores"
    return [f"{title}: mean {mean:.1f}, median {middle:g}, {spread}"]


def waiting(count: int) -> str:
    """Return a line about answers that only a person can mark."""
    if count == 1:
        return "1 answer waits for a person to mark it"
    return f"{count} answers wait for a person to mark them"


def common_incidents(rows: Sequence[Row]) -> dict[str, int]:
    """Return {incident: count} of those that tell of the assignment, not of a student.

    A test that was corrected, for instance, makes every older copy of it look edited.
    """
    counts = collections.Counter(text for row in rows for text in row.incidents)
    return {text: n for text, n in counts.items() if n > max(len(rows) / 2, 2)}


def breaches(rows: Sequence[Row]) -> list[str]:
    """Who has broken which rule of the set."""
    return [
        f"{row.student}: {question.id}: {question.message}"
        for row in rows
        for question in row.questions
        if question.status == "breach"
    ]


def is_odd(row: Row) -> bool:
    return row.status != "graded" or bool(row.incidents)


def urgency(row: Row) -> tuple[bool, bool]:
    """Sort what was not graded first, and what is only late last."""
    late = all(text.startswith("late: ") for text in row.incidents)
    return row.status == "graded", late


def table(rows: Sequence[Row], width: int | None = None) -> str:
    """Return one line per submission."""
    wide = min(max([7, *(columns(printable(row.student)) for row in rows)]), 30)
    room = max((width or PLAIN_WIDTH) - wide - 31, 20)
    lines = [f"{pad('student', wide)}  {'score':>7}  {'of':>6}  {'time':>6}  remarks"]
    lines += [
        f"{pad(printable(row.student), wide)}  {row.score:>7.2f}  "
        f"{row.max_score:>6g}  {row.seconds:>5.1f}s  "
        f"{shorten(remarks(row), room)}".rstrip()
        for row in rows
    ]
    return "\n".join(lines)


def remarks(row: Row) -> str:
    """What a person should know of a submission, the most important first."""
    lost = [question.id for question in row.questions if question.status not in GOOD]
    partly = [question.id for question in row.questions if question.status == "partial"]
    parts = [trouble(row)] if is_odd(row) else []
    if len(lost) == len(row.questions) > 1:
        parts.append("lost: all questions")
    elif lost:
        parts.append(f"lost: {', '.join(lost)}")
    parts += [f"partly: {', '.join(partly)}"] if partly else []
    return printable("; ".join(parts))


def trouble(row: Row) -> str:
    """What is odd about a submission, apart from its answers."""
    parts = [] if row.status == "graded" else [row.status.upper()]
    parts += row.incidents[:3]
    if len(row.incidents) > 3:
        parts.append(f"{len(row.incidents) - 3} more incidents")
    return "; ".join(parts)


def summary(rows: Sequence[Row], width: int | None = None) -> str:
    """Return the questions, the hardest last, each with its most frequent messages."""
    by_question: dict[str, list[Question]] = collections.defaultdict(list)
    for row in rows:
        if row.status == "graded":  # no notebook says nothing about a question
            for question in row.questions:
                by_question[question.id].append(question)
    wide = max([8, *map(len, by_question)])
    lines = []
    for name, items in sorted(by_question.items(), key=lambda item: -share(item[1])):
        mean = sum(item.score for item in items) / len(items)
        lines.append(
            f"{name:<{wide}}  {100 * rate(items):>3.0f} % passed  "
            f"mean {mean:5.2f} of {items[0].max_score:g}"
        )
        messages = collections.Counter(
            item.message.split("\n")[0] for item in items if item.message
        )
        for message, count in messages.most_common(3):
            text = shorten(printable(message), (width or 110) - 10)
            lines.append(f"    {count:>3} x {text}")
    return "\n".join(lines)


def share(items: Sequence[Question]) -> float:
    """Return the part of all points that was reached."""
    points = sum(item.max_score for item in items)
    return sum(item.score for item in items) / points if points else 1.0


def rate(items: Sequence[Question]) -> float:
    return sum(item.status == "passed" for item in items) / len(items)


def _some(
    title: str, items: Sequence[str], width: int | None = None, most: int = 20
) -> list[str]:
    room = (width or 102) - 2
    shown = [f"  {shorten(printable(item), room)}" for item in items[:most]]
    if len(items) > most:
        shown.append(f"  … and {len(items) - most} more")
    return [f"{title} ({len(items)}):", *shown] if items else []


def shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def columns(text: str) -> int:
    """Columns on a terminal: wide signs take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def pad(text: str, width: int) -> str:
    while columns(text) > width:
        text = text[:-1]
    return text + " " * (width - columns(text))
