"""One style everywhere: code, tests and notebooks pass ruff."""

import re
import subprocess
import sys

import pytest


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=" ".join)
def test_ruff_is_content(command, project_root):
    """Lint and layout, with the settings of pyproject.toml."""
    ruff = [sys.executable, "-m", "ruff", *command, "--no-cache", "."]
    result = subprocess.run(ruff, cwd=project_root, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_nothing_tracked_names_a_folder_of_a_machine(project_root):
    """A clone must work anywhere: no path of the place where it was written."""
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=project_root, capture_output=True, check=True
    ).stdout.split(b"\0")
    here = re.escape(str(project_root))
    bad = re.compile(rf"{here}(?![\w-])")
    for name in filter(None, map(bytes.decode, files)):
        path = project_root / name
        if path.suffix in {".png", ".safetensors", ".woff2"} or not path.is_file():
            continue
        assert not bad.search(path.read_text(encoding="utf8")), name
