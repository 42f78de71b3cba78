"""Files that are either the old or the new one, never half."""

import contextlib
import os
from collections.abc import Iterator

UNFINISHED = ".tmp"  # ends the names of files that a killed process may leave behind


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], mode: int) -> Iterator[str]:
    """Yield the name of a draft beside `path`, which takes its place at the end.

    Should anything go wrong meanwhile, the draft is removed and the old file stays.
    """
    draft = f"{os.fspath(path)}.{os.getpid()}{UNFINISHED}"
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        yield draft
        os.chmod(draft, mode)
        os.replace(draft, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        if isinstance(error, OSError) and error.filename == draft:
            error.filename, error.filename2 = os.fspath(path), None  # what was asked
        raise


def write_file(path: str | os.PathLike[str], text: str, mode: int) -> None:
    """Write a text file so that it is either the old or the new one, never half."""
    with replacing(path, mode) as draft, open(draft, "w", encoding="utf-8") as file:
        file.write(text)
