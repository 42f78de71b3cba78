"""Find what an interrupted install left half done.  Standard library only."""

import csv
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
