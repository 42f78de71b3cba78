"""Find what an interrupted install left half done.  Standard library only."""

import base64
import csv
import hashlib
import os
import shutil
from pathlib import Path

from course_tools.cli import stamp


def site_packages(root: Path) -> Path:
    """Where .venv keeps its packages."""
    folder = Path(stamp.venv_folder(root))
    if os.name == "nt":
        return folder / "Lib" / "site-packages"
    return folder / "lib" / f"python{stamp.venv_version(root)}" / "site-packages"


def forget_half_installed(packages: Path) -> list[str]:
    """Remove the records of packages that are not whole, so that pip installs them.

    pip believes a package's METADATA, which is on disk before all of its files are:
    after a crash it would take half a package for a whole one.
    """
    broken = [info for info in packages.glob("*.dist-info") if not is_whole(info)]
    for info in broken:
        shutil.rmtree(info)
    for left_over in packages.glob("~*"):  # what pip moved aside before an upgrade
        shutil.rmtree(left_over, ignore_errors=True)
    return [info.name for info in broken]


def damaged(packages: Path) -> list[Path]:
    """Packages with a file that is lost or no longer what pip has installed."""
    broken = [info for info in packages.glob("*.dist-info") if not is_whole(info)]
    for info in set(packages.glob("*.dist-info")) - set(broken):
        with open(info / "RECORD", encoding="utf-8", newline="") as stream:
            rows = [row for row in csv.reader(stream) if len(row) > 1]
        # scripts and data outside may be adapted to this machine
        if any(has_changed(packages, *row[:2]) for row in rows if ".." not in row[0]):
            broken.append(info)
    return broken


def has_changed(packages: Path, name: str, recorded: str) -> bool:
    """Whether a file has another hash than RECORD says, where it says one."""
    method, _, expected = recorded.partition("=")
    if method != "sha256" or name.endswith(".pyc"):
        return False
    with open(packages / name, "rb") as stream:
        digest = hashlib.file_digest(stream, method).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=") != expected


def is_whole(info: Path) -> bool:
    """Whether a package is completely there.

    Its RECORD lists all files.  The one from the archive is replaced at the very end
    by pip's own, which also names the mark INSTALLER; until then the package is not
    complete.  Compiled files do not count: Python makes them again.
    """
    try:
        with open(info / "RECORD", encoding="utf-8", newline="") as stream:
            names = [row[0] for row in csv.reader(stream) if row]
    except (OSError, ValueError, csv.Error):
        return False
    return f"{info.name}/INSTALLER" in names and all(
        (info.parent / name).exists() for name in names if not name.endswith(".pyc")
    )
