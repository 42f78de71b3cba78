"""What one sees while pip works: a line that moves, or plain lines without a terminal.

pip writes its full output to a log file; this module reads along.
"""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

COLLECTING = re.compile(r"\s*(?:Collecting|Requirement already satisfied:) ([\w.-]+)")
FROM_A_FOLDER = re.compile(r"\s*Processing .*?([\w.]+)-[^/\\]*\.whl")
DOWNLOADING = re.compile(r"\s*Downloading (?:\S*/)?([\w.]+)-\S*(?: (\(.*\)))?")
BUILDING = re.compile(r"\s*Building wheel for ([\w.-]+)")
PLAIN_SECONDS = 5  # without a terminal: a line every so often, not a flood

# What pip says -> what it means for the person, the most telling first.
REASONS = [
    (r"No space left on device|\[Errno 28\]", "the disk is full (.venv needs 2 GB)"),
    (r"Permission denied|\[Errno 13\]", "a file or folder may not be written"),
    (r"CERTIFICATE_VERIFY_FAILED", "the package index shows an unknown certificate"),
    (
        r"NewConnectionError|ConnectionError|ConnectTimeout|Read timed out|ProxyError"
        r"|Network is unreachable|name resolution|getaddrinfo failed",
        "the package index cannot be reached; is this machine online?",
    ),
    (r"(?i)do not match the hashes", "a download was damaged; run the command again"),
    (
        r"No matching distribution found|ResolutionImpossible",
        "a package has no fitting version for this Python or system",
    ),
]


def announce(cpu_torch: str | None, brings_torch: bool) -> None:
    """What is going to happen, and how to make it smaller."""
    print("Setting up .venv: first use, or versions have changed.", flush=True)
    if cpu_torch:
        print(f"  PyTorch's CPU build is looked for at {cpu_torch} as well;")
        print("  on Linux it saves several GB of GPU packages.", flush=True)
    elif sys.platform == "linux" and brings_torch:
        print(
            "  On Linux, PyTorch may bring several GB of GPU packages; without a GPU,"
        )
        print("  avoid them with --cpu-torch (see: ./course setup --help).", flush=True)


class Progress:
    """Shows how far the set-up is: what, how many of how many, seconds."""

    def __init__(self, root: Path):
        names = ("requirements.lock", "requirements-texts.txt")
        text = "".join((root / name).read_text("utf-8") for name in names)
        # the course itself counts as one more package
        self.total = sum("==" in line for line in text.splitlines()) + 1
        self.seen: set[str] = set()
        self.begin = self.printed = time.monotonic()
        self.live = sys.stdout.isatty()
        self.stage = self.line = ""

    def say(self, stage: str, detail: str = "") -> None:
        """Show the stage of the work, and the detail and seconds next to it."""
        now = time.monotonic()
        text = f"{stage} {detail}".strip()
        if self.live:
            width = shutil.get_terminal_size().columns - 12
            print(f"\r\033[K  {text[:width]}  {now - self.begin:.0f} s", end="")
            sys.stdout.flush()
            self.line = text
        elif stage != self.stage or now - self.printed > PLAIN_SECONDS:
            print(f"  {text}  ({now - self.begin:.0f} s)", flush=True)
            self.printed = now
        self.stage = stage

    def end_line(self) -> None:
        """Leave the moving line, so that the next words start on one of their own."""
        if self.live and self.line:
            print(flush=True)
            self.line = ""

    def done(self) -> None:
        """The last word of the set-up."""
        self.end_line()
        print(f"Set up in {time.monotonic() - self.begin:.0f} s.", flush=True)

    def follow(
        self, process: subprocess.Popen, log: Path, start: int, packages: Path
    ) -> int:
        """Show pip's work until it ends; returns its exit code."""
        stage, detail = "asking the package index", ""
        with open(log, encoding="utf-8", errors="replace") as stream:
            stream.seek(start)
            while True:
                ended = process.poll()
                for line in stream.readlines():
                    stage, detail = news(line) or (stage, detail)
                    if stage == "collecting":
                        self.seen.add(detail.lower())
                if stage == "installing":
                    self.say(stage, installed(packages, self.total))
                else:
                    self.say(stage, f"{detail} ({len(self.seen)} of {self.total})")
                if ended is not None:
                    return ended
                time.sleep(0.2)


def news(line: str) -> tuple[str, str] | None:
    """The stage and the package that a line of pip's output speaks of, if any."""
    if match := COLLECTING.match(line) or FROM_A_FOLDER.match(line):
        return "collecting", match[1]
    if match := DOWNLOADING.match(line):
        return "downloading", f"{match[1]} {match[2] or ''}".strip()
    if match := BUILDING.match(line):
        return "building", match[1]
    if line.startswith("Installing collected packages:"):
        return "installing", ""
    return None


def installed(packages: Path, total: int) -> str:
    """The newest package in .venv, and how many of all are there."""
    found = [(info.stat().st_mtime, info.name) for info in packages.glob("*.dist-info")]
    newest = max(found, default=(0, ""))[1].partition("-")[0]
    return f"{newest} ({min(len(found), total)} of {total})"


def failure(log: Path, start: int) -> str:
    """One sentence about a failed install; pip's last lines are shown before it."""
    with open(log, encoding="utf-8", errors="replace") as stream:
        stream.seek(start)
        lines = [line.rstrip()[:160] for line in stream if line.strip()]
    print("\n".join(f"    {line}" for line in lines[-8:]), file=sys.stderr)
    return f"the install failed: {cause(lines)}; all of pip's words: {log}"


def cause(lines: list[str]) -> str:
    """What the last lines of a program mean for the person at the keyboard."""
    for pattern, meaning in REASONS:
        if any(re.search(pattern, line) for line in lines[-25:]):
            return meaning
    return lines[-1] if lines else "it gave no reason"
