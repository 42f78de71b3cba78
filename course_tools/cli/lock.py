"""`./course lock`: the exact version of everything the course stands on.

For developers: change a version in pyproject.toml (and in environment.yml), run this,
run the tests, commit the files together.
"""

import os
import platform
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from course_tools.cli import bootstrap, stamp
from course_tools.errors import CommandError

HEADER = """\
# Every package of the course, exact, for all systems; written by `./course lock`.
# The launcher hands this to pip as constraints.  What one system needs on top of it
# (colorama on Windows, GPU packages on Linux) resolves itself.
# {place}
"""


def place() -> str:
    """Markers depend on these, so a lock can be compared only where they agree."""
    version = ".".join(platform.python_version_tuple()[:2])
    return f"Made with Python {version} on {platform.system()}."


def direct(root: Path) -> list[str]:
    """The packages named in pyproject.toml, those of every extra included."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project.get("optional-dependencies", {})
    return sum(optional.values(), project.get("dependencies", []))


def closure(requirements: list[str]) -> dict[str, str]:
    """All packages that the requirements lead to, and their installed versions.

    Requirements are followed with their markers, package by package and extra by
    extra, so that other packages that happen to be installed are left out.
    """
    found: dict[str, str] = {}
    todo = [(Requirement(text), frozenset[str]()) for text in requirements]
    done: set[tuple[str, frozenset[str]]] = set()
    while todo:
        need, asked = todo.pop()
        item = (canonicalize_name(need.name), frozenset(need.extras))
        if not applies(need, asked) or item in done:
            continue
        done.add(item)
        distribution = metadata.distribution(need.name)
        found[item[0]] = public_version(distribution.version)
        todo += [(Requirement(text), item[1]) for text in distribution.requires or []]
    return found


def public_version(version: str) -> str:
    """2.13.0+cpu -> 2.13.0: the suffix is one system's build, the lock is for all."""
    return version.partition("+")[0]


def applies(need: Requirement, extras: frozenset[str]) -> bool:
    """Whether a requirement holds here, given the extras that were asked for."""
    if need.marker is None:
        return True
    return any(need.marker.evaluate({"extra": extra}) for extra in {"", *extras})


def lock_text(root: Path) -> str:
    """The lock file: sorted, one `name==version` a line."""
    found = closure(direct(root))
    lines = [f"{name}=={version}\n" for name, version in sorted(found.items())]
    return HEADER.format(place=place()) + "".join(lines)


def is_installed(requirement: str) -> bool:
    """Whether .venv holds the version that pyproject.toml asks for."""
    need = Requirement(requirement)
    try:
        return need.specifier.contains(metadata.version(need.name), prereleases=True)
    except metadata.PackageNotFoundError:
        return False


def main(root: Path) -> int:
    """Install what pyproject.toml asks for if it is not there; then write the lock.

    This install is without the old lock, which would forbid what has just changed; pip
    leaves every other package as it is.
    """
    wanted = [text for text in direct(root) if not is_installed(text)]
    if wanted:
        print(f"installing {', '.join(wanted)}", flush=True)
        course = bootstrap.with_extras(root)
        install = bootstrap.pip_command(root, "--quiet", "-e", course)
        done = subprocess.run(install, check=False)
        if done.returncode != 0:
            raise CommandError(f"pip could not install {', '.join(wanted)}")
        # a fresh process, because this one has read the old versions
        os.execv(sys.executable, [sys.executable, "-P", "-m", "course_tools", "lock"])
    text = lock_text(root)
    draft = root / "requirements.lock.part"
    draft.write_text(text, encoding="utf-8", newline="\n")
    draft.replace(root / "requirements.lock")
    stamp.write(root)  # .venv agrees with the new lock: it was read from there
    print(f"requirements.lock: {text.count('==')} packages")
    return 0
