"""The arguments of `grade`, `feedback`, `export` and `similar`.

Nothing but the standard library: `./course grade --help` answers before anything is
installed.
"""

import argparse
from urllib.parse import urlsplit

from course_tools.grading.limits import LONGEST_TIMEOUT
from course_tools.grading.options import FORMATS

ONLY = "a single one; repeat it for more: --only ada --only bob"
SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "inproc")


def grade_arguments(parser: argparse.ArgumentParser) -> None:
    _submitted_arguments(parser)
    _course_arguments(parser)
    parser.add_argument(
        "--only", metavar="STUDENT", action="append", default=[], help=ONLY
    )
    parser.add_argument("--force", action="store_true", help="grade again what is done")
    parser.add_argument(
        "--watch",
        action="store_true",
        help="stay, and grade what arrives or changes; with --json a line for each",
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=_seconds,
        help="for each cell and each question (default: c.Execute.timeout in "
        "nbgrader_config.py, or 30)",
    )
    parser.add_argument("--workers", type=_positive, help="default: one per core")
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        type=_address,
        help="grade on a Dask cluster, such as tcp://10.0.0.5:8786 (default: here)",
    )
    parser.add_argument("--no-feedback", action="store_true", help="write no pages")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object, for programs"
    )
    parser.add_argument(
        "--unsafe-no-sandbox",
        dest="unsafe",
        action="store_true",
        help="run students' code unprotected where no sandbox can be made",
    )
    parser.epilog = "Stopped in the middle? The same command goes on where it was."


def feedback_arguments(parser: argparse.ArgumentParser) -> None:
    _set_argument(parser)
    parser.add_argument(
        "--only", metavar="STUDENT", action="append", default=[], help=ONLY
    )
    parser.add_argument(
        "--zip",
        choices=("moodle",),
        help="also pack the pages as this platform takes them back (see collect)",
    )
    parser.add_argument(
        "--to", metavar="FILE", help="of --zip; default: feedback_SET.zip"
    )
    _course_arguments(parser)


def export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0])
    parser.add_argument("--to", metavar="FILE", help="default: standard output")
    parser.add_argument(
        "--assignment", metavar="SET", action="append", default=[], help="default: all"
    )
    parser.add_argument(
        "--roster",
        metavar="FILE",
        help="a gradebook exported by Canvas, into which the marks are filled",
    )
    _course_arguments(parser)


def similar_arguments(parser: argparse.ArgumentParser) -> None:
    _submitted_arguments(parser)
    parser.add_argument(
        "--least",
        metavar="PERCENT",
        type=_percent,
        default=35.0,
        help="show pairs that share so much of what is their own (default: 35)",
    )
    parser.add_argument(
        "--to",
        metavar="PAGE.html",
        help="the pairs side by side; default: .grading/SET/similar.html",
    )
    _course_argument(parser)
    parser.epilog = "It compares texts. Read both before you say a word to anybody."


def _percent(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 0 to 100")
    return value


def _set_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "assignment", metavar="SET", help="ps1_rnn, short ps1, or a path"
    )


def _submitted_arguments(parser: argparse.ArgumentParser) -> None:
    """A set, and where its submissions are."""
    _set_argument(parser)
    parser.add_argument(
        "--submissions",
        metavar="DIR",
        help="DIR/STUDENT/SET/*.ipynb or DIR/STUDENT/*.ipynb; default: submitted/",
    )


def _course_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--course", metavar="DIR", help="another nbgrader course (default: this one)"
    )


def _course_arguments(parser: argparse.ArgumentParser) -> None:
    """A course, and the gradebook that it keeps."""
    _course_argument(parser)
    parser.add_argument(
        "--db", metavar="URL", help="the gradebook, such as postgresql://host/name"
    )


def _positive(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return value


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < LONGEST_TIMEOUT:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds")
    return value


def _address(text: str) -> str | None:
    """A Dask address; "local" stands for this machine."""
    if text == "local":
        return None
    parts = urlsplit(text)
    if parts.scheme not in SCHEMES or not parts.netloc:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no address of a Dask scheduler, such as tcp://10.0.0.5:8786"
        )
    return text
