"""The engine and the course's library are not for students' code to import."""

import sys
from collections.abc import Iterable
from typing import Any

OWN_CODE = ("course_lib", "course_tools")  # the answers, and the engine


class Hidden:
    """Finds no module of ours, whatever lies where Python looks for modules."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.partition(".")[0] in OWN_CODE:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def own_modules() -> list[str]:
    """Names of our modules that are loaded.

    Whoever goes through all modules touches them all, and a forked process copies what
    it touches: so this is done before the fork.
    """
    return [name for name in sys.modules if name.partition(".")[0] in OWN_CODE]


def hide_own_code(modules: Iterable[str]) -> None:
    """A student's process runs this code, but cannot import it."""
    for name in modules:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Hidden())  # pyright: ignore[reportArgumentType]
