"""The engine and the course's library are not for students' code to import."""

import sys
from typing import Any

OWN_CODE = ("course_lib", "course_tools")  # the answers, and the engine


class Hidden:
    """Finds no module of ours, whatever lies where Python looks for modules."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.partition(".")[0] in OWN_CODE:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def hide_own_code() -> None:
    """A student's process runs this code, but cannot import it."""
    for name in list(sys.modules):
        if name.partition(".")[0] in OWN_CODE:
            del sys.modules[name]
    sys.meta_path.insert(0, Hidden())  # pyright: ignore[reportArgumentType]
