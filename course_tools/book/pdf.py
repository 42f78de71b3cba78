"""A page of the book as a PDF, printed by Chromium."""

import os
import subprocess
import tempfile
from pathlib import Path

from course_tools.errors import CommandError

SECONDS = 300  # for one page, on a busy machine


def print_page(chromium: str, page: Path, target: Path) -> None:
    """Print a page to `target`, without the browser's own header and footer."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_suffix(".draft.pdf")
    with tempfile.TemporaryDirectory() as profile:
        command = [
            *(chromium, "--headless", "--disable-gpu", "--disable-extensions"),
            *("--no-first-run", "--disable-dev-shm-usage", "--no-pdf-header-footer"),
            # pages made here from the course itself; root may not use that sandbox
            *(["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []),
            *(f"--user-data-dir={profile}", f"--print-to-pdf={draft.resolve()}"),
            page.resolve().as_uri(),
        ]
        try:
            subprocess.run(
                command, capture_output=True, timeout=SECONDS, check=True, text=True
            )
        except subprocess.TimeoutExpired:
            raise CommandError(f"Chromium took too long for {page.name}") from None
        except (subprocess.CalledProcessError, OSError) as error:
            said = (getattr(error, "stderr", "") or "").strip().splitlines()
            why = said[-1] if said else "no reason given"
            raise CommandError(f"Chromium cannot print {page.name}: {why}") from None
    if not draft.exists():
        raise CommandError(f"Chromium wrote no PDF of {page.name}")
    draft.replace(target)
