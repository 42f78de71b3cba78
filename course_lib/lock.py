"""Write requirements.lock: the exact version of everything the course stands on."""

import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HEADER = """\
# Every package of the course, exact, for all systems: made by `./course lock`.
# The launcher hands it to pip as constraints; what a system needs on top (colorama on
# Windows, say) resolves itself.
"""


def direct(root: Path) -> list[str]:
    """The packages named in pyproject.toml, those of every extra included."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return sum(project["optional-dependencies"].values(), project["dependencies"])


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
        found[item[0]] = distribution.version.partition("+")[0]
        todo += [(Requirement(text), item[1]) for text in distribution.requires or []]
    return found


def applies(need: Requirement, extras: frozenset[str]) -> bool:
    """Whether a requirement holds here, given the extras asked for."""
    if need.marker is None:
        return True
    return any(need.marker.evaluate({"extra": extra}) for extra in {"", *extras})


def lock_text(root: Path) -> str:
    """The lock file: sorted, one `name==version` a line, no local suffix as in +cpu."""
    found = closure(direct(root))
    lines = [f"{name}=={version}" for name, version in sorted(found.items())]
    return HEADER + "\n".join(lines) + "\n"


def main(root: Path) -> int:
    path = root / "requirements.lock"
    text = lock_text(root)
    path.write_text(text, encoding="utf-8", newline="\n")
    print(f"{path}: {text.count('==')} packages")
    return 0
