"""What the person who grades sees: a progress bar, a table, a summary, or JSON."""

import collections
import json
import os
import shutil
import statistics
import sys
import time
import unicodedata

GIVEN_UP = ("not graded", "not stored")  # what the next run tries again


class Progress:
    """One line that is rewritten: how many, how fast, how long still, failures."""

    def __init__(self, total, shown=True, stream=sys.stderr):
        self.total = total
        self.shown = shown and stream.isatty() and os.environ.get("TERM") != "dumb"
        self.stream = stream
        self.start = time.perf_counter()
        self.done = self.skipped = self.troubled = 0
        self._draw()

    def skip(self, row):
        self.skipped += 1
        self.troubled += row["status"] != "graded" or bool(row["incidents"])
        self._draw()

    def step(self, row):
        self.done += 1
        if row["status"] != "graded" or row["incidents"]:
            self.troubled += 1
        self._draw()

    def line(self):
        finished = self.done + self.skipped
        seconds = max(time.perf_counter() - self.start, 1e-6)
        rate = self.done / seconds
        left = f"{(self.total - finished) / rate:.0f} s left" if rate else "starting"
        filled = 24 * finished // max(self.total, 1)
        bar = "#" * filled + "." * (24 - filled)
        return (
            f"[{bar}] {finished}/{self.total}  {rate:.1f}/s  {left}  "
            f"{self.troubled} with incidents"
        )

    def _draw(self):
        if self.shown:
            width = shutil.get_terminal_size().columns - 1
            self.stream.write("\r" + self.line()[:width] + "\x1b[K")
            self.stream.flush()

    def close(self):
        if self.shown:
            self.stream.write("\n")


class Report:
    """What came of one run over one assignment."""

    def __init__(self, assignment, rows, left_out, coordinator):
        self.assignment = assignment
        self.rows = rows
        self.left_out = left_out
        self.done = coordinator

    def as_json(self):
        """Return the one object that `--json` prints.

        `remarks` name questions in which the instructor's own solution loses points,
        `left_out` what was found beside the submissions.
        """
        report = {
            "assignment": self.assignment,
            "seconds": round(self.done.seconds, 3),
            "submissions": self.rows,
        }
        if self.done.remarks:
            report["remarks"] = list(self.done.remarks)
        if self.left_out:
            report["left_out"] = self.left_out
        return json.dumps(report)

    def as_text(self):
        parts = [table(self.rows), summary(self.rows), self.ending()]
        return "\n\n".join(filter(None, parts))

    def ending(self):
        """Return the last lines: what a person has to do something about."""
        lines, done = [], self.done
        good = sorted(row["score"] for row in self.rows if row["status"] == "graded")
        if good:
            lines.append(
                f"{len(good)} scores: mean {sum(good) / len(good):.1f}, "
                f"median {statistics.median(good):g}, from {good[0]:g} to {good[-1]:g}"
            )
        odd = [
            row for row in self.rows if row["status"] != "graded" or row["incidents"]
        ]
        lines += _some("look at", [f"{row['student']}: {remarks(row)}" for row in odd])
        rest = [f"{name}: {why}" for name, why in self.left_out.items()]
        lines += _some("left out", rest)
        if done.absent:
            lines += _some("in the gradebook, but not handed in here", done.absent)
        lines += [
            f"mind: the instructor's own solution loses points in {text}"
            for text in done.remarks
        ]
        if done.to_mark:
            lines.append(f"{done.to_mark} answers wait for a person to mark them")
        given_up = sum(row["status"] in GIVEN_UP for row in self.rows)
        lines.append(
            f"{done.graded} graded, {len(self.rows) - done.graded - given_up} as before"
        )
        if given_up:
            lines[-1] += f", {given_up} not graded: run the same command again"
        return "\n".join(lines)


def table(rows):
    """Return one line per submission."""
    width = min(max([7, *(cells(printable(row["student"])) for row in rows)]), 30)
    lines = [f"{pad('student', width)}  {'score':>7}  {'of':>6}  {'time':>6}  remarks"]
    lines += [
        f"{pad(printable(row['student']), width)}  {row['score']:>7.2f}  "
        f"{row['max_score']:>6g}  {row['seconds']:>5.1f}s  {shorten(remarks(row), 200)}"
        for row in rows
    ]
    return "\n".join(lines)


def remarks(row):
    """What a person should know of a submission, the most important first."""
    lost = [q["id"] for q in row["questions"] if q["status"] not in GOOD]
    partly = [q["id"] for q in row["questions"] if q["status"] == "partial"]
    parts = [] if row["status"] == "graded" else [row["status"].upper()]
    parts += row["incidents"][:3]
    if len(row["incidents"]) > 3:
        parts.append(f"{len(row['incidents']) - 3} more incidents")
    if len(lost) == len(row["questions"]) > 1:
        parts.append("lost: all questions")
    elif lost:
        parts.append(f"lost: {', '.join(lost)}")
    parts += [f"partly: {', '.join(partly)}"] if partly else []
    return printable("; ".join(parts))


GOOD = ("passed", "partial")


def summary(rows):
    """Return the questions, the hardest last, each with its most frequent messages."""
    by_question = collections.defaultdict(list)
    for row in rows:
        if row["status"] == "graded":  # no notebook says nothing about a question
            for question in row["questions"]:
                by_question[question["id"]].append(question)
    width = max([8, *map(len, by_question)])
    lines = []
    for name, items in sorted(by_question.items(), key=lambda item: -rate(item[1])):
        mean = sum(item["score"] for item in items) / len(items)
        lines.append(
            f"{name:<{width}}  {100 * rate(items):>3.0f} % passed  "
            f"mean {mean:5.2f} of {items[0]['max_score']:g}"
        )
        messages = collections.Counter(
            item["message"].split("\n")[0] for item in items if item["message"]
        )
        for message, count in messages.most_common(3):
            lines.append(f"    {count:>3} x {shorten(printable(message), 100)}")
    return "\n".join(lines)


def rate(items):
    return sum(item["status"] == "passed" for item in items) / len(items)


def _some(title, items, most=20):
    shown = [f"  {shorten(printable(item), 100)}" for item in items[:most]]
    if len(items) > most:
        shown.append(f"  … and {len(items) - most} more")
    return [f"{title} ({len(items)}):", *shown] if items else []


def shorten(text, limit):
    return text if len(text) <= limit else text[: limit - 1] + "…"


def cells(text):
    """Columns on a terminal: wide signs take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def pad(text, width):
    while cells(text) > width:
        text = text[:-1]
    return text + " " * (width - cells(text))


def printable(text):
    """Return the text without characters that would move the cursor."""
    return "".join(c if c.isprintable() else "?" for c in text)
