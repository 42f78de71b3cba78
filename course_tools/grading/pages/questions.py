"""What a student wants first: question by question, the points and the reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

PASSED, PARTLY, FAILED, WAITS = "passed", "partly", "failed", "waits"
WORDS = {
    PASSED: "passed",
    PARTLY: "partly",
    FAILED: "failed",
    WAITS: "not marked yet",
}
A_PERSON = "A person will mark this answer."


@dataclass(frozen=True)
class Question:
    """One graded cell: what it brought, and why."""

    name: str
    score: float
    points: float
    state: str  # passed, partly, failed, waits
    message: str = ""
    comment: str = ""

    @property
    def word(self) -> str:
        return WORDS[self.state]

    @property
    def waits(self) -> bool:
        return self.state == WAITS

    @property
    def marks(self) -> str:
        """4.5 / 5, or – / 10 as long as nobody has marked it."""
        score = "–" if self.waits else number(self.score)
        return f"{score} / {number(self.points)}"


def question(name: str, scored: Mapping[str, Any], message: str = "") -> Question:
    """A question from its row in the gradebook, and what the page says of it."""
    score, points = float(scored.get("score") or 0), float(scored.get("points") or 0)
    if scored.get("waits"):
        state, message = WAITS, message or A_PERSON
    elif score >= points and not (points == 0 and message):
        state = PASSED
    else:
        state = PARTLY if score > 0 else FAILED
    comment = str(scored.get("comment") or "")
    return Question(name, score, points, state, message, comment)


def message_of(cell: NotebookNode) -> str:
    """What the student's version of a test cell says."""
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            return str(output.evalue)
        if output.output_type == "stream":
            return str(output.text).strip()
    return ""


def number(value: float | None) -> str:
    return f"{float(value or 0.0):.2f}".rstrip("0").rstrip(".")
