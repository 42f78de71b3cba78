"""A feedback page around its cells: the score, the questions, the style."""

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from course_tools.grading.pages import fonts
from course_tools.grading.pages.questions import WORDS, Question, number

FILES = Path(__file__).parent / "files"
SHORT_MESSAGE = 300  # characters of a message that the list of questions shows


@cache
def _template() -> jinja2.Template:
    loader = jinja2.FileSystemLoader(FILES)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True)
    environment.filters["number"] = number
    environment.filters["short"] = short
    return environment.get_template("feedback.html.jinja")


@cache
def _sheet() -> str:
    return (FILES / "feedback.css").read_text(encoding="utf-8")


def short(message: str) -> str:
    """As much of a message as a list has room for."""
    if len(message) <= SHORT_MESSAGE:
        return message
    return message[:SHORT_MESSAGE].rstrip() + " …"


def page(
    questions: list[Question],
    resources: dict[str, Any],
    sentence: str = "",
    body: str = "",
) -> str:
    """The whole page; without `body` the names of the questions are no links."""
    counted = Counter(question.state for question in questions)
    parts = [f"{counted[state]} {word}" for state, word in WORDS.items()]
    return _template().render(
        **resources,
        questions=questions,
        counted=", ".join(p for p in parts if not p.startswith("0 ")),
        waiting=sum(question.points for question in questions if question.waits),
        sentence=sentence,
        body=body,
        style=_sheet() + fonts.style(body),
    )
