"""Programs outside Python that some tests and commands use, and how to get them."""

import re
import shutil
import sys
from glob import glob
from pathlib import Path
from typing import NamedTuple


class Program(NamedTuple):
    """A program by its names; `places` are patterns of folders off the search path."""

    names: tuple[str, ...]
    places: tuple[str, ...]
    purpose: str
    debian: str
    macos: str = ""

    def find(self) -> str | None:
        """The full path of the program, or None."""
        for name in self.names:
            if found := shutil.which(name):
                return found
        for pattern in self.places:
            # the highest version first, where several are installed
            for place in sorted(glob(pattern), key=version_in, reverse=True):
                if Path(place).is_file():
                    return place
        return None

    def how(self) -> str:
        """The command that installs it on this system."""
        if sys.platform == "darwin":
            return self.macos or "not for macOS; use Linux, for example in Docker"
        if sys.platform == "win32":
            return "use Linux, for example in WSL: " + self.debian
        return self.debian


def version_in(path: str) -> list[int]:
    """The numbers in a path, so that version 15 is newer than version 9."""
    return [int(number) for number in re.findall(r"\d+", path)]


PROGRAMS = {
    "chromium": Program(
        ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
        (
            "/Applications/Chromium.app/Contents/MacOS/Chromium",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        ),
        "browser tests",
        "sudo apt install chromium",
        "brew install --cask chromium",
    ),
    "bwrap": Program(
        ("bwrap",),
        (),
        "tests of the launcher on odd machines",
        "sudo apt install bubblewrap",
    ),
    "postgres": Program(
        ("postgres",),
        # Debian and Red Hat keep the server's programs off the search path
        (
            "/usr/lib/postgresql/*/bin/postgres",
            "/usr/pgsql-*/bin/postgres",
            "/opt/homebrew/opt/postgresql@*/bin/postgres",
            "/usr/local/opt/postgresql@*/bin/postgres",
        ),
        "tests of shared grade books",
        "sudo apt install postgresql",
        "brew install postgresql@17",
    ),
}


def find_program(name: str) -> str | None:
    """The full path of chromium, bwrap or postgres, or None."""
    return PROGRAMS[name].find()


def missing_reason(name: str) -> str:
    """Why a test is left out, and how to get what it needs; "" if it is there."""
    if find_program(name):
        return ""
    program = PROGRAMS[name]
    return f"{name} is not installed ({program.purpose}); get it: {program.how()}"
