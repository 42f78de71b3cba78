"""What one sees while pip works: a line that moves, or plain lines without a terminal.

pip writes its full output to a log file; this module reads along.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

COLLECTING = re.compile(rb"\s*(?:Collecting|Requirement already satisfied:) ([\w.-]+)")
DOWNLOADING = re.compile(rb"\s*(?:Downloading|Using cached) (?:\S*/)?([\w.]+)-\S*(.*)")
INSTALLING = b"Installing collected packages:"

# What pip says -> what it means for the person.
REASONS = [
    ("No space left on device", "the disk is full; .venv needs about 2 GB"),
    ("Permission denied", "a file or folder may not be written"),
    (
        "Temporary failure in name resolution|Failed to establish a new connection"
        "|getaddrinfo failed|nodename nor servname|Network is unreachable"
        "|NewConnectionError|ConnectionError|Read timed out|ConnectTimeout",
        "the package index cannot be reached; is the machine online?",
    ),
    ("CERTIFICATE_VERIFY_FAILED", "the package index is not trusted (certificate)"),
    ("HASH MISMATCH|do not match the hashes", "a download is damaged; run it again"),
    (
        "No matching distribution found|ResolutionImpossible",
        "a package has no version for this Python or system",
    ),
]


class Progress:
    """Shows how far the install is."""

    def __init__(self, root: Path):
        lock = (root / "requirements.lock").read_text(encoding="utf-8")
        self.total = sum("==" in line for line in lock.splitlines()) + 1
        self.begin = time.monotonic()
        self.live = sys.stdout.isatty()
        self.shown = ""
        print("Setting up the course in .venv; this happens once.", flush=True)

    def say(self, text: str) -> None:
        """Show `text` and the seconds so far; without a terminal, only what is new."""
        seconds = time.monotonic() - self.begin
        if self.live:
            print(f"\r\033[K  {text[:60]}  {seconds:.0f} s", end="", flush=True)
        elif text != self.shown:
            print(f"  {text}", flush=True)
        self.shown = text

    def end_line(self) -> None:
        if self.live:
            print()

    def done(self) -> None:
        seconds = time.monotonic() - self.begin
        self.end_line()
        print(f"Set up in {seconds:.0f} s.", flush=True)

    def follow(
        self, process: subprocess.Popen, log: Path, start: int, packages: Path
    ) -> int:
        """Show pip's work until it ends; returns its exit code."""
        seen, what, installing = 0, "asking the package index", False
        with open(log, "rb") as stream:
            stream.seek(start)
            while True:
                ended = process.poll()
                for line in stream:
                    if match := COLLECTING.match(line):
                        seen += 1
                        what = f"collecting {match[1].decode()}"
                    elif match := DOWNLOADING.match(line):
                        what = f"downloading {match[1].decode()}{match[2].decode()}"
                    installing = installing or line.startswith(INSTALLING)
                if installing:
                    done = count(packages)
                    self.say(f"[{min(done, self.total)}/{self.total}] installing")
                else:
                    self.say(f"[{min(seen, self.total)}/{self.total}] {what}")
                if ended is not None:
                    return ended
                time.sleep(0.2)


def count(packages: Path) -> int:
    """How many packages are in .venv."""
    return sum(1 for _ in packages.glob("*.dist-info"))


def reason(log: Path, start: int) -> str:
    """One sentence about a failed install, after the last lines of pip's log."""
    with open(log, "rb") as stream:
        stream.seek(start)
        text = stream.read().decode("utf-8", "replace")
    lines = [line for line in text.splitlines() if line.strip()]
    print("\n".join(f"    {line[:160]}" for line in lines[-8:]), file=sys.stderr)
    for pattern, meaning in REASONS:
        if re.search(pattern, text):
            return f"the install failed: {meaning} (all of it: {log})"
    return f"the install failed; see {log}"
