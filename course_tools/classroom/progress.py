"""`./course progress`: what is read, solved and checked, from one file on this machine.

The file is written by notebooks (course_lib/progress.py) and by `./course check`;
nobody else reads it, and nothing is sent anywhere.
"""

import csv
import html
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from course_lib import progress as noted
from course_lib.exercises import record
from course_tools.atomic import write_file

FILE = ".progress.jsonl"
MAP = "course_lib/show/course_map.tsv"
EXERCISE = re.compile(r"^\*\*Exercise (\d+)")
SIGNS = {"done": "●", "begun": "◐", "open": "○"}
COLOURS = {"done": "\x1b[32m", "begun": "\x1b[33m", "open": "\x1b[2m"}
WORDS = {"done": "done", "begun": "begun", "open": "to come"}


@dataclass(frozen=True)
class Lecture:
    """A lecture of the map, and how far it is."""

    part: str
    notebook: str
    title: str
    opened: bool
    passed: int
    exercises: int

    @property
    def number(self) -> str:
        return self.notebook.split("_")[0]

    @property
    def state(self) -> str:
        """Done means: opened, and every exercise that can be checked was passed."""
        if self.opened and self.passed >= self.exercises:
            return "done"
        return "begun" if self.opened or self.passed else "open"


@dataclass(frozen=True)
class Checked:
    """A problem set as `./course check` last saw it."""

    name: str
    passing: int
    questions: int


@dataclass(frozen=True)
class Progress:
    lectures: tuple[Lecture, ...]
    sets: tuple[Checked, ...]


def file_of(root: Path) -> Path:
    """Where progress is noted, unless COURSE_PROGRESS names another place."""
    return noted.configured() or root / FILE


def note_check(root: Path, name: str, passing: Iterable[str], of: int) -> None:
    """Remember what a check has found."""
    if noted.is_quiet():
        return
    entry = {"set": name, "passing": sorted(passing), "of": of, "when": noted.now()}
    noted.note(file_of(root), entry)


def read(root: Path) -> Progress:
    """How far the student is."""
    path = file_of(root)
    entries = noted.entries(path)
    passes = set(record.recorded(path))
    opened = {str(entry["opened"]) for entry in entries if "opened" in entry}
    with (root / MAP).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    lectures = []
    for part, notebook, title, *_ in rows:
        topic = notebook.partition("_")[2]
        own = checkable(root / "notebooks" / f"{notebook}.ipynb")
        passed = sum((topic, number) in passes for number in own)
        seen = notebook in opened
        lectures.append(Lecture(part, notebook, title, seen, passed, len(own)))
    return Progress(tuple(lectures), last_checks(entries))


def checkable(notebook: Path) -> set[int]:
    """The exercises of a lecture that have a check: others cannot be passed."""
    try:
        cells = json.loads(notebook.read_bytes())["cells"]
        texts = ["".join(cell["source"]) for cell in cells]
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    numbers = {int(found[1]) for text in texts if (found := EXERCISE.match(text))}
    checks = re.findall(r"\bcheck\(\s*(\d+)", "\n".join(texts))
    return numbers & set(map(int, checks))


def last_checks(entries: list[dict]) -> tuple[Checked, ...]:
    found = {}
    for entry in entries:
        passing, of = entry.get("passing"), entry.get("of")
        if isinstance(passing, list) and isinstance(of, int) and "set" in entry:
            name = str(entry["set"])
            found[name] = Checked(name, len(set(map(str, passing))), of)
    return tuple(found[name] for name in sorted(found))


def as_text(progress: Progress, coloured: bool) -> str:
    """The map, lit up."""
    lines, part = [], ""
    for lecture in progress.lectures:
        if lecture.part != part:
            part = lecture.part
            lines.append(part)
        line = f"  {SIGNS[lecture.state]} {lecture.number:3} {lecture.title:28}"
        if lecture.exercises:
            line += f" exercises {lecture.passed} of {lecture.exercises}"
        lines.append(f"{COLOURS[lecture.state]}{line}\x1b[0m" if coloured else line)
    if progress.sets:
        lines.append("Problem sets, as ./course check last saw them")
    lines += [f"  {s.name:28} {s.passing} of {s.questions} pass" for s in progress.sets]
    signs = "  ".join(f"{SIGNS[state]} {word}" for state, word in WORDS.items())
    lines += ["", f"{signs}{coming(progress)}"]
    return "\n".join([*map(str.rstrip, lines), summary(progress)])


def coming(progress: Progress) -> str:
    """The next lecture that is not optional and was not opened yet."""
    unopened = (one for one in progress.lectures if not one.opened)
    following = next((one for one in unopened if one.number.isdigit()), None)
    return f"      next: {following.number} {following.title}" if following else ""


def summary(progress: Progress) -> str:
    states = [lecture.state for lecture in progress.lectures]
    done, begun = states.count("done"), states.count("begun")
    return f"{done} of {len(states)} lectures done, {begun} begun."


PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>My progress</title>
<style>
body {{ font: 16px/1.5 sans-serif; max-width: 44em; margin: 2em auto; color: #222; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: left; padding: 0.2em 0.8em 0.2em 0; vertical-align: top; }}
th[colspan] {{ padding-top: 1em; }}
.done {{ color: #14692f; font-weight: bold; }} .begun {{ color: #7a4b00; }}
.open {{ color: #595959; }}
</style>
</head>
<body>
<h1>From Recurrence to Attention: my progress</h1>
<p>{summary} Made by ./course progress on the student's own computer.</p>
<table>
<tr><th>lecture</th><th>state</th><th>exercises</th></tr>
{lectures}
</table>
{sets}
</body>
</html>
"""


def as_page(progress: Progress) -> str:
    """The same as a page that needs no other file."""
    rows, part = [], ""
    for lecture in progress.lectures:
        if lecture.part != part:
            part = lecture.part
            rows.append(f'<tr><th colspan="3">{html.escape(part)}</th></tr>')
        name = html.escape(f"{lecture.number} {lecture.title}")
        solved = f"{lecture.passed} of {lecture.exercises}" if lecture.exercises else ""
        state = f'<td class="{lecture.state}">{WORDS[lecture.state]}</td>'
        rows.append(f"<tr><td>{name}</td>{state}<td>{solved}</td></tr>")
    sets = [
        f"<li>{html.escape(s.name)}: {s.passing} of {s.questions} questions pass</li>"
        for s in progress.sets
    ]
    listed = (
        "<h2>Problem sets</h2>\n<ul>\n" + "\n".join(sets) + "\n</ul>" if sets else ""
    )
    return PAGE.format(summary=summary(progress), lectures="\n".join(rows), sets=listed)


def write_page(progress: Progress, target: Path) -> None:
    write_file(target, as_page(progress), 0o600)
