"""The commands of a class: hand-outs, updates.

As in commands.py, heavy imports stand inside the functions.
"""

import argparse
from pathlib import Path

from course_tools.cli.commands import ROOT
from course_tools.errors import CommandError


def update_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        nargs="?",
        metavar="FROM",
        type=Path,
        help="a newer hand-out or clone: folder or zip file (default, in a clone of "
        "git: where it came from)",
    )


def update(arguments: argparse.Namespace) -> int:
    from course_tools.classroom import update
    from course_tools.cli import bootstrap

    if arguments.source and not arguments.source.exists():
        raise CommandError(f"there is no {arguments.source}", code=2)
    with bootstrap.only_one(str(ROOT)):
        print(update.update(ROOT, arguments.source))
    return 0


def handout_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="DIR", type=Path, help="a new or empty one")
    parser.add_argument("--zip", action="store_true", help="make DIR.zip instead")


def handout(arguments: argparse.Namespace) -> int:
    from course_tools.classroom import handout

    print(handout.make(ROOT, arguments.target, arguments.zip))
    return 0
