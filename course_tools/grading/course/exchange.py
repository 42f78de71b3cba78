"""The two small files by which nbgrader's exchange finds its way back to a student.

`nbgrader submit` puts `timestamp.txt` and `submission_secret.txt` beside the notebook;
`nbgrader release_feedback` wants both beside every page, and stops for the whole class
where one is missing. So each page gets them, also that of a student who handed in by
another way or has taken the files out: a secret of our own then, which nobody knows.
"""

import os
import secrets

from course_tools.atomic import write_file
from course_tools.grading.bridge import files
from course_tools.grading.limits import SECRET_BYTES, STAMP_BYTES

TIMESTAMP, SECRET = "timestamp.txt", "submission_secret.txt"


def keep_secret(submitted: str, autograded: str) -> None:
    """Carry the secret of a submission on to its graded version, as nbgrader does."""
    if secret := _text(submitted, SECRET, SECRET_BYTES):
        write_file(os.path.join(autograded, SECRET), secret, 0o440)


def label_pages(sources: list[str], feedback: str) -> None:
    """Put both files beside the pages, from the first folder that has them."""
    stamps = (_text(folder, TIMESTAMP, STAMP_BYTES) for folder in sources)
    candidates = (
        _text(folder, SECRET, SECRET_BYTES) for folder in [*sources, feedback]
    )
    secret = next(filter(None, candidates), None) or secrets.token_hex(64)
    write_file(os.path.join(feedback, TIMESTAMP), next(filter(None, stamps), ""), 0o644)
    write_file(os.path.join(feedback, SECRET), secret, 0o640)


def _text(folder: str, name: str, limit: int) -> str:
    """The words of a file that a student may have written; "" if it has none."""
    path = os.path.join(folder, name)
    data = files.read_plain(path, limit, [], name) if os.path.lexists(path) else None
    text = (data or b"").decode("ascii", "replace").strip()
    return text if text.isprintable() and text.isascii() else ""
