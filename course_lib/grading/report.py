"""What the person who grades sees: a progress bar, a table, a summary, or JSON."""

import collections
import json
import sys
import time


class Progress:
    """One line that is rewritten: how many, how fast, how long still, failures."""

    def __init__(self, total, shown=True, stream=sys.stderr):
        self.total = total
        self.shown = shown and stream.isatty()
        self.stream = stream
        self.start = time.perf_counter()
        self.done = self.skipped = self.troubled = 0

    def skip(self, row):
        self.skipped += 1
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
        left = (self.total - finished) / rate if rate else 0.0
        filled = 24 * finished // max(self.total, 1)
        bar = "#" * filled + "." * (24 - filled)
        return (
            f"[{bar}] {finished}/{self.total}  {rate:.1f}/s  {left:.0f} s left  "
            f"{self.troubled} with incidents"
        )

    def _draw(self):
        if self.shown:
            self.stream.write("\r" + self.line() + "\x1b[K")
            self.stream.flush()

    def close(self):
        if self.shown:
            self.stream.write("\n")


def as_json(assignment, seconds, rows, remarks=()):
    """Return the one object that `--json` prints.

    `remarks` name questions in which the instructor's own solution loses points.
    """
    report = {
        "assignment": assignment,
        "seconds": round(seconds, 3),
        "submissions": rows,
    }
    if remarks:
        report["remarks"] = list(remarks)
    return json.dumps(report, ensure_ascii=False)


def table(rows):
    """Return one line per submission."""
    width = max([7, *(len(row["student"]) for row in rows)])
    width = min(width, 30)
    lines = [f"{'student':<{width}}  {'score':>7}  {'of':>6}  {'time':>6}  remarks"]
    for row in rows:
        lost = [q["id"] for q in row["questions"] if q["status"] not in GOOD]
        partly = [q["id"] for q in row["questions"] if q["status"] == "partial"]
        remarks = [f"lost: {', '.join(lost)}"] if lost else []
        remarks += [f"partly: {', '.join(partly)}"] if partly else []
        remarks = "; ".join([*remarks, *row["incidents"]])
        lines.append(
            f"{printable(row['student'])[:width]:<{width}}  {row['score']:>7.2f}  "
            f"{row['max_score']:>6g}  {row['seconds']:>5.1f}s  "
            f"{printable(remarks)[:200]}"
        )
    return "\n".join(lines)


GOOD = ("passed", "partial")


def summary(rows):
    """Return per question: mean, pass rate, the most frequent messages."""
    by_question = collections.defaultdict(list)
    for row in rows:
        for question in row["questions"]:
            by_question[question["id"]].append(question)
    lines = []
    for name, items in by_question.items():
        mean = sum(item["score"] for item in items) / len(items)
        passed = sum(item["status"] == "passed" for item in items) / len(items)
        lines.append(
            f"{name}: mean {mean:.2f} of {items[0]['max_score']:g}, "
            f"{100 * passed:.0f} % passed"
        )
        messages = collections.Counter(
            item["message"].split("\n")[0][:100] for item in items if item["message"]
        )
        for message, count in messages.most_common(3):
            lines.append(f"    {count:>3} x {printable(message)}")
    return "\n".join(lines)


def printable(text):
    """Return the text without characters that would move the cursor."""
    return "".join(c if c.isprintable() else "?" for c in text)
