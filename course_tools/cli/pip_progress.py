"""What one sees while pip works: a line that moves, or plain lines without a terminal.

pip writes its full output to a log file; this module reads along.
"""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from course_tools.cli.machine import gpu_is_seen
from course_tools.cli.parts import CHOICES, FILES

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
    (
        r"(?i)do not match the hashes|hashes are required",
        "a package is not the one that requirements/ names (other hash), so it was "
        "refused; run the command again, and if it stays so, do not trust the index",
    ),
    (
        r"No matching distribution found|ResolutionImpossible",
        "a package has no fitting version for this Python or system",
    ),
]


def announce(missing: list[str], cpu_torch: str | None, brings_torch: bool) -> None:
    """What is going to happen, and how to make it smaller."""
    shown = [f"{part} ({CHOICES[part]})" for part in missing if part in CHOICES]
    what = f" for {', '.join(shown)}" if shown else ""
    print(f"Setting up .venv{what}: first use, or versions have changed.", flush=True)
    if cpu_torch and brings_torch:
        print(f"  PyTorch's CPU build comes from {cpu_torch};")
        print("  on Linux it saves several GB of GPU packages.", flush=True)
    elif sys.platform == "linux" and brings_torch and not gpu_is_seen():
        print("  No GPU is seen here. On Linux, PyTorch may bring several GB of GPU")
        print("  packages all the same; avoid them with --cpu-torch.", flush=True)


class Progress:
    """Shows how far the set-up is: what, how many of how many, seconds."""

    def __init__(self, root: Path, missing: list[str]):
        self.expected = expected(root, missing)
        self.begin = self.printed = time.monotonic()
        self.live = sys.stdout.isatty()
        self.line = ""
        self.stages: set[str] = set()  # shown at least once
        self.seen: set[str] = set()  # packages that pip has spoken of

    def say(self, stage: str, detail: str = "") -> None:
        """Show the stage of the work, and the detail and seconds next to it."""
        now = time.monotonic()
        text = f"{stage} {detail}".strip()
        if self.live:
            width = shutil.get_terminal_size().columns - 12
            print(f"\r\033[K  {text[:width]}  {now - self.begin:.0f} s", end="")
            sys.stdout.flush()
            self.line = text
        elif stage not in self.stages or now - self.printed > PLAIN_SECONDS:
            print(f"  {text}  ({now - self.begin:.0f} s)", flush=True)
            self.printed = now
        self.stages.add(stage)

    def end_line(self) -> None:
        """Leave the moving line, so that what follows starts on one of its own."""
        if self.live and self.line:
            print(flush=True)
            self.line = ""

    def done(self) -> None:
        """The last line of the set-up."""
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
                        self.seen.add(plain(detail))
                if stage == "installing":
                    self.say(stage, installed(packages, self.expected))
                else:
                    count = len(self.seen & self.expected)
                    self.say(stage, f"{detail} ({count} of {len(self.expected)})")
                if ended is not None:
                    return ended
                time.sleep(0.2)


def plain(name: str) -> str:
    """The name of a package as folders of installed packages spell it."""
    return re.sub(r"[-_.]+", "_", name).lower()


def expected(root: Path, missing: list[str]) -> set[str]:
    """The packages of these parts; those for some systems only are not counted."""
    names = {"course_lib"} if "base" in missing else set()
    for part in missing:
        for file in FILES[part]:
            if file.startswith("requirements/"):
                text = (root / file).read_text("utf-8")
                names.update(re.findall(r"^([\w.-]+)==[^\s;]+(?: \\)?$", text, re.M))
    return set(map(plain, names))


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


def installed(packages: Path, expected: set[str]) -> str:
    """The newest package in .venv, and how many of the expected ones are there."""
    present = [
        (info.stat().st_mtime, info.name.partition("-")[0])
        for info in packages.glob("*.dist-info")
    ]
    count = len({plain(name) for _, name in present} & expected)
    return f"{max(present, default=(0, ''))[1]} ({count} of {len(expected)})"


def failure(log: Path, start: int) -> str:
    """One sentence about a failed install; pip's last lines are shown before it."""
    with open(log, encoding="utf-8", errors="replace") as stream:
        stream.seek(start)
        lines = [line.rstrip()[:160] for line in stream if line.strip()]
    print("\n".join(f"    {line}" for line in lines[-8:]), file=sys.stderr)
    return f"the install failed: {cause(lines)}; all that pip said: {log}"


def cause(lines: list[str]) -> str:
    """What the last lines of a program mean for the person at the keyboard."""
    for pattern, meaning in REASONS:
        if any(re.search(pattern, line) for line in lines[-25:]):
            return meaning
    return lines[-1] if lines else "it gave no reason"
