"""What a program of the course does before it imports anything heavy."""

import sys
from typing import Any


def spare_grammars() -> None:
    """Let jsonschema do without the package that checks internet addresses.

    On import it compiles 38 grammars, a second or two of computing in every program
    that reads a notebook; jsonschema treats it as optional, and nobody here checks one.
    """
    modules: dict[str, Any] = sys.modules
    modules.setdefault("rfc3987_syntax", None)
