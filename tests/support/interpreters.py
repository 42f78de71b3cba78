"""The Pythons of this machine."""

import glob
import shutil
import subprocess
import sys
from pathlib import Path

PROMISED = ("3.11", "3.12", "3.13")


def interpreter(version: str) -> str | None:
    """A Python of this release on this machine, other than the running one."""
    if version == "{}.{}".format(*sys.version_info):
        return sys.executable
    kept = str(Path.home() / f".pyenv/versions/{version}.*/bin/python")
    candidates = [*sorted(glob.glob(kept)), shutil.which(f"python{version}")]
    return next((path for path in candidates if path and starts(path, version)), None)


def starts(path: str, version: str) -> bool:
    """A shim of pyenv is there even when its Python is not chosen."""
    done = subprocess.run([path, "--version"], capture_output=True, text=True)
    return done.returncode == 0 and f"Python {version}." in done.stdout


def newest() -> tuple[str, str] | None:
    """(release, path) of the newest Python above the running one, if there is any."""
    at = PROMISED.index("{}.{}".format(*sys.version_info))
    found = [(version, interpreter(version)) for version in PROMISED[at + 1 :]]
    return next(((v, path) for v, path in reversed(found) if path), None)
