"""Files that are either the old or the new one, never half."""

import contextlib
import os

UNFINISHED = ".tmp"


def write_file(path, text, mode):
    """Write a file so that it is either the old or the new one, never half."""
    temporary = f"{path}.{os.getpid()}{UNFINISHED}"
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with open(os.open(temporary, flags, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
