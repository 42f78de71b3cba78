"""Data inside an installed package: where the files are, without importing it.

Importing music21 takes seconds and pulls in half a library of music; the course only
reads a few of its text files. So the package is located, not loaded.
"""

from importlib.util import find_spec
from pathlib import Path

# Installs what is missing and replaces what is damaged.
GET_IT = "./course setup"


class MissingDataError(FileNotFoundError):
    """A data package is not installed; the message says how to get it."""


def folder(package: str, inside: str, what: str) -> Path:
    """The folder `inside` of an installed package.

    what  names the data in the error message, as in "the folk tunes"
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingDataError(
            f"{what} come with the package {package}, which is not installed: {GET_IT}"
        )
    path = Path(next(iter(spec.submodule_search_locations)), inside)
    if not path.is_dir():
        raise MissingDataError(
            f"{what} are missing: the installed {package} has no folder {inside}; "
            f"{GET_IT}"
        )
    return path
