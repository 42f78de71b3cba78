"""Compile what is used at once; Python compiles the rest when it is first imported.

To compile every file of every package would take longer than to download them, and 400
MB of disk; a student uses a tenth of it.  Standard library only.
"""

import subprocess
from pathlib import Path

# What `./course lab` and a lecture import before anything is computed.
MODULES = {
    "student": (
        "torch",
        "matplotlib.pyplot",
        "ipywidgets",
        "ipykernel.kernelapp",
        "jupyterlab.labapp",
        "nbgrader.apps",
    ),
    "grade": ("pandas", "distributed"),
}

# A missing or broken package is no concern of this step: its user will say so.
PROGRAM = """\
import contextlib, importlib, sys

sys.modules["rfc3987_syntax"] = None  # see course_tools.lean_imports
for name in sys.argv[1:]:
    with contextlib.suppress(Exception):
        importlib.import_module(name)
"""


def compile_by_use(python: str, modules: tuple[str, ...]) -> None:
    """Import the modules once in a process of its own.

    -I makes Python store what it compiles even where the environment forbids it.
    """
    subprocess.run(
        [python, "-I", "-c", PROGRAM, *modules],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


def compile_all(python: str, packages: Path) -> None:
    """Everything, on all cores: tests start Python hundreds of times."""
    subprocess.run(
        [python, "-I", "-m", "compileall", "-q", "-j", "0", str(packages)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
