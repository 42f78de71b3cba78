"""`./course doctor`: what is installed, what is missing, how to get it.

It installs nothing.  Before first use it runs in the Python that started the course and
says what it can: the packages are then reported as missing, with the way to get them.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from course_tools.cli import parts, stamp
from course_tools.cli.installed import (
    GIB,
    SETUP,
    Finding,
    environment,
    further_parts,
    is_inside,
    package,
    packages,
    torch,
)
from course_tools.cli.machine import usable_cores
from course_tools.cli.programs import PROGRAMS, find_program


def can_look_inside(root: Path) -> bool:
    """Whether .venv has a working Python that is not the one running now."""
    inside = stamp.venv_python(root)
    if is_inside(root) or not os.path.exists(inside):
        return False
    return first_line(inside, "-c", "print('yes')") == "yes"


def first_line(*command: str) -> str:
    """What a program says about itself; empty when it does not run."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout.strip().splitlines() or [""])[0]


def python(root: Path) -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    state = "ok" if sys.version_info >= (3, 11) else "old"
    return Finding(
        "Python", state, version, "everything", "install Python 3.11 or newer"
    )


def texts(root: Path) -> Finding:
    """The works of Shakespeare, every file as it should be."""
    name, purpose = "Shakespeare", "text to learn from"
    if not is_inside(root):
        return Finding(name, "missing", "", purpose, SETUP)
    try:
        from course_lib.data import shakespeare
    except ImportError:  # NumPy is not there yet
        return Finding(name, "missing", "", purpose, SETUP)
    try:
        found = f"{len(shakespeare.works())} works, each as in {shakespeare.TABLE.name}"
    except FileNotFoundError as error:
        found = str(error).partition(":")[0]
        return Finding(name, "missing", found, purpose, SETUP)
    return Finding(name, "ok", found, purpose)


def kernel(root: Path) -> Finding:
    """Start the kernel of the notebooks and let it compute something with torch."""
    purpose = "running notebooks"
    try:
        import nbformat
        from nbclient import NotebookClient
    except ImportError:
        return Finding("Jupyter kernel", "missing", "", purpose, SETUP)
    cell = nbformat.v4.new_code_cell("import torch; int(torch.ones(6, 7).sum())")
    notebook = nbformat.v4.new_notebook(cells=[cell])
    quiet = ["--IPKernelApp.log_level=40"]
    try:
        NotebookClient(
            notebook, timeout=60, kernel_name="python3", extra_arguments=quiet
        ).execute(stderr=subprocess.DEVNULL)  # where ending kernels complain
        answer = cell.outputs[0]["data"]["text/plain"]
    except Exception as error:  # whatever stops a kernel, the report goes on
        found = f"does not start: {str(error).strip().splitlines()[-1][:80]}"
        return Finding("Jupyter kernel", "missing", found, purpose, SETUP)
    return Finding(
        "Jupyter kernel", "ok", f"starts; torch says 6 x 7 = {answer}", purpose
    )


def cores(root: Path) -> Finding:
    return Finding("cores", "ok", str(usable_cores()), "two or more test side by side")


def memory(root: Path) -> Finding:
    """Memory that programs can still get; psutil knows it on every system."""
    purpose = "2 GiB for a lecture"
    try:
        import psutil
    except ImportError:
        return Finding("memory", "ok", f"not known before {SETUP}", purpose)
    free = psutil.virtual_memory().available / GIB
    state, found = "ok" if free >= 2 else "low", f"{free:.1f} GiB free"
    return Finding("memory", state, found, purpose, "close other programs")


def disk(root: Path) -> Finding:
    free = shutil.disk_usage(root).free / GIB
    needed = 0.5 if stamp.is_current(root, parts.STUDENT) else 3
    state = "ok" if free >= needed else "low"
    purpose = f"{needed} GiB for .venv and files"
    return Finding("disk", state, f"{free:.1f} GiB free", purpose, "make room")


def program(name: str, label: str) -> Finding:
    about, path = PROGRAMS[name], find_program(name)
    if path is None:
        return Finding(label, "missing", "", about.purpose, about.how(), False)
    version = re.search(r"\d+(\.\d+)+", first_line(path, "--version"))
    found = version[0] if version else path
    return Finding(label, "ok", found, about.purpose, required=False)


def namespaces(root: Path) -> Finding:
    """Whether a process may make a user namespace, which a sandbox is built from."""
    purpose = "grading submissions without being root"
    if sys.platform != "linux":
        return Finding("user namespaces", "missing", "", purpose, "use Linux", False)
    works = first_line("unshare", "--user", "echo", "yes") == "yes"
    state, found = ("ok", "allowed") if works else ("missing", "not allowed")
    how = f"sudo sysctl -w {namespace_setting()}"
    return Finding("user namespaces", state, found, purpose, how, False)


def protections(root: Path) -> list[Finding]:
    """What students' code is shut into while it is graded; tried, not guessed."""
    if sys.platform != "linux":
        purpose = "grading submissions"
        return [Finding("sandbox", "missing", "", purpose, "use Linux", False)]
    from course_tools.grading.protections import protections as found_here

    ways = {"sandbox": f"sudo sysctl -w {namespace_setting()}"}
    other = "use a machine of type x86_64 or aarch64"
    return [
        Finding(
            name,
            "ok" if active else "missing",
            found,
            "grading submissions",
            ways.get(name, other),
            required=False,
        )
        for name, active, found in found_here()
    ]


def namespace_setting() -> str:
    """The kernel setting that forbids user namespaces here, with the value it needs."""
    for name, allowed in [
        ("kernel.apparmor_restrict_unprivileged_userns", "0"),  # Ubuntu
        ("kernel.unprivileged_userns_clone", "1"),  # older Debian
    ]:
        path = Path("/proc/sys", *name.split("."))
        if path.exists() and path.read_text().strip() != allowed:
            return f"{name}={allowed}"
    return "user.max_user_namespaces=15000"


def examine(root: Path) -> list[Finding]:
    """All findings, in the order in which things depend on each other."""
    return [
        python(root),
        environment(root),
        *further_parts(root),
        packages(root),
        *torch(root),
        texts(root),
        package("jupyterlab", "reading the lectures"),
        package("nbgrader", "problem sets"),
        kernel(root),
        cores(root),
        memory(root),
        disk(root),
        program("chromium", "chromium"),
        program("bwrap", "bubblewrap"),
        namespaces(root),
        *protections(root),
        program("postgres", "PostgreSQL server"),
    ]


def table(findings: list[Finding]) -> str:
    """One line each: mark, name, what was found, what for, how to get it if not ok."""
    rows = [
        (f.state, f.name, f.found or "-", f.purpose + " (optional)" * (not f.required))
        for f in findings
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for finding, row in zip(findings, rows, strict=True):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        if finding.state != "ok":
            cells.append(f"get it: {finding.how}")
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def main(root: Path, as_json: bool = False) -> int:
    """Print the report; the exit code tells whether anything required is not ok."""
    findings = examine(root)
    bad = [f.name for f in findings if f.required and f.state != "ok"]
    if as_json:
        report = {"ok": not bad, "findings": [f._asdict() for f in findings]}
        print(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        print(table(findings))
        print(f"\nNot ready: {', '.join(bad)}." if bad else "\nThe course is ready.")
    return 1 if bad else 0
