"""What `./course doctor` finds in .venv: parts, packages, PyTorch's build."""

import os
import re
import shutil
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from course_tools.cli import parts, stamp
from course_tools.cli.machine import gpu_is_seen
from course_tools.cli.repair import damaged, site_packages
from course_tools.errors import CommandError

SETUP = "./course setup"
CPU_SETUP = f"{SETUP} --cpu-torch"
GIB = 2**30


class Finding(NamedTuple):
    """One line of the report."""

    name: str
    state: str  # ok, missing, old, low, or large
    found: str
    purpose: str
    how: str = ""
    required: bool = True


def is_inside(root: Path) -> bool:
    """Whether this is the Python of the course, and not the one that started it."""
    venv = Path(stamp.venv_folder(root))
    return stamp.is_conda_home(root) or (venv.is_dir() and venv.samefile(sys.prefix))


def environment(root: Path) -> Finding:
    """.venv, or the conda environment that stands in for it."""
    purpose = parts.CHOICES["student"]
    if stamp.is_conda_home(root):
        return Finding("environment", "ok", f"conda: {sys.prefix}", purpose)
    if not os.path.isdir(stamp.venv_folder(root)):
        return Finding(".venv", "missing", "not made yet", purpose, SETUP)
    if stamp.is_current(root, parts.STUDENT):
        return Finding(".venv", "ok", "complete, as in requirements/", purpose)
    made = all(os.path.exists(stamp.stamp_file(root, part)) for part in parts.STUDENT)
    found = "made from other versions or elsewhere" if made else "not finished"
    return Finding(".venv", "old", found, purpose, SETUP)


def further_parts(root: Path) -> list[Finding]:
    """What is added when a command first needs it, so nobody must install it."""
    if stamp.is_conda_home(root):
        return []
    findings = []
    for part, purpose in parts.CHOICES.items():
        if part == "student":
            continue
        state, found = "missing", "added on first use"
        if stamp.is_current(root, ["base", part]):
            state, found = "ok", "complete, as in requirements/"
        elif os.path.exists(stamp.stamp_file(root, part)):
            state, found = "old", "made from other versions or elsewhere"
        how = f"{SETUP} {part}"
        findings.append(Finding(f"part {part}", state, found, purpose, how, False))
    return findings


def packages(root: Path) -> Finding:
    """Whether every installed version is the one that is asked for.

    conda resolves what our dependencies depend on itself, so only ours are compared.
    """
    if not is_inside(root):
        return Finding("packages", "missing", "", "everything", SETUP)
    conda = stamp.is_conda_home(root)
    source, wanted = (
        ("pyproject.toml", named_versions(root))
        if conda
        else ("requirements/", locked_versions(root))
    )
    have = {name: installed_version(name) for name in wanted}
    # a version such as 2.13.0+cpu is a build of 2.13.0
    right = [n for n, v in have.items() if v and v.partition("+")[0] == wanted[n]]
    found = f"{len(right)} of {len(wanted)} as in {source}"
    wrong = sorted(set(wanted) - set(right))
    if not wrong:
        return Finding("packages", "ok", found, "everything")
    state = "missing" if not all(have.values()) else "old"
    found += f"; not: {', '.join(wrong[:3])}{' …' if len(wrong) > 3 else ''}"
    return Finding("packages", state, found, "everything", SETUP)


def named_versions(root: Path) -> dict[str, str]:
    """The packages that pyproject.toml names."""
    text = (root / "pyproject.toml").read_text("utf-8")
    return dict(re.findall(r'^ *"([\w.-]+)==([\w.]+)",?$', text, re.MULTILINE))


def locked_versions(root: Path) -> dict[str, str]:
    """The packages of the student's part and of those that were added to it.

    Some are for other systems or other Pythons; `packaging` reads these conditions,
    and until it is installed, pip's own copy of it.
    """
    try:
        from packaging.markers import Marker
    except ImportError:
        from pip._vendor.packaging.markers import Marker
    wanted = {}
    for part, files in parts.FILES.items():
        if part not in parts.STUDENT and not stamp.is_stamped(root, part):
            continue
        texts = [(root / f).read_text("utf-8") for f in files if "require" in f]
        for line in re.findall(r"^[\w.-]+==.+$", "\n".join(texts), re.MULTILINE):
            pin, _, condition = line.rstrip("\\ ").partition(" ; ")
            if not condition or Marker(condition).evaluate():
                name, _, version = pin.partition("==")
                wanted[name] = version
    return wanted


def forget_what_is_damaged(root: Path) -> bool:
    """Remove the stamps when a package is lost or changed; the launcher does the rest.

    A damaged package loses its record as well, so that pip installs it again.
    """
    wrong = damaged(site_packages(root))
    if not wrong and packages(root).state == "ok":
        return False
    names = ", ".join(sorted(info.name.partition("-")[0] for info in wrong))
    print(f"Some packages are lost or damaged {f'({names})' if names else ''}…")
    for info in wrong:
        shutil.rmtree(info)
    for part in parts.FILES:
        if stamp.is_stamped(root, part):
            os.remove(stamp.stamp_file(root, part))
    return True


def require_conda_packages(root: Path) -> None:
    """In a conda environment nothing is installed here; say what to do instead."""
    finding = packages(root)
    if finding.state != "ok":
        raise CommandError(
            f"{finding.found}; conda env update -f environment.yml, then "
            "pip install --no-deps -r requirements/texts.lock"
        )


def installed_version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def package(name: str, purpose: str) -> Finding:
    version = installed_version(name)
    return Finding(name, "ok" if version else "missing", version, purpose, SETUP)


def torch_build() -> str:
    """ "CPU build" or "GPU build", read from torch's own file without loading torch."""
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        return ""
    file = Path(spec.origin).with_name("version.py")
    text = file.read_text("utf-8") if file.exists() else ""
    gpu = re.search(r"^(?:cuda|hip|xpu)\b[^=\n]*=\s*['\"]", text, re.MULTILINE)
    return "GPU build" if gpu else "CPU build"


def torch(root: Path) -> list[Finding]:
    """PyTorch; on Linux also whether gigabytes of GPU packages are of no use here."""
    build = torch_build()
    finding = package("torch", "all networks")
    finding = finding._replace(found=f"{finding.found} {build}".strip())
    if sys.platform != "linux" or gpu_is_seen() or build == "CPU build":
        return [finding]
    if build == "":
        how = f"{CPU_SETUP} (no GPU is seen: it saves gigabytes)"
        return [finding._replace(how=how)]
    found = f"{gpu_packages() / GIB:.1f} GiB, but no GPU is seen"
    how = f"delete .venv, then {CPU_SETUP}"
    return [
        finding,
        Finding("GPU packages", "large", found, "nothing here", how, required=False),
    ]


def gpu_packages() -> int:
    """Bytes of the packages that only PyTorch's GPU build needs."""
    names = re.compile(r"(nvidia|cuda|triton)\b", re.IGNORECASE)
    return sum(
        file.size or 0
        for distribution in metadata.distributions()
        if names.match(distribution.name or "")
        for file in distribution.files or []
    )
