"""The commands of a class: hand-outs, updates, what platforms deliver, progress.

As in commands.py, heavy imports stand inside the functions.
"""

import argparse
import os
import sys
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


def hub_arguments(parser: argparse.ArgumentParser) -> None:
    from course_tools.hub import command

    command.add_arguments(parser)


def hub(arguments: argparse.Namespace) -> int:
    from course_tools.hub import command

    return command.run(arguments, ROOT)


def collect_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.zip", type=Path)
    parser.add_argument(
        "assignment", nargs="?", metavar="SET", help="default: by what is in FILE.zip"
    )
    parser.add_argument(
        "--roster",
        metavar="FILE.csv",
        type=Path,
        help="which student has which id: nbgrader's list, Moodle's participants or "
        "grading worksheet, a gradebook of Canvas",
    )
    parser.add_argument(
        "--replace",
        action="store_true",
        help="take these although others are there (which move to submitted/.replaced)",
    )
    parser.add_argument("--course", metavar="DIR", help="default: this one")
    parser.add_argument("--db", metavar="URL", help="the gradebook")


def collect(arguments: argparse.Namespace) -> int:
    from course_tools.classroom import collect, platforms
    from course_tools.grading.course.course import Course

    roster = platforms.read_roster(arguments.roster) if arguments.roster else None
    course = Course(arguments.course or ROOT, arguments.db)
    given = (arguments.file, arguments.assignment, roster, arguments.replace)
    print(collect.collect(course, *given))
    return 0


def progress_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--to", metavar="PAGE.html", type=Path, help="write it as a page instead"
    )
    parser.epilog = "It is read from one file here; nothing is sent anywhere."


def progress(arguments: argparse.Namespace) -> int:
    from course_tools.classroom import progress

    found = progress.read(ROOT)
    if arguments.to:
        progress.write_page(found, arguments.to)
        print(f"{arguments.to}: {progress.summary(found)}")
        return 0
    coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    print(progress.as_text(found, coloured))
    place = progress.file_of(ROOT)
    print(f"This stands in {place}; nobody else sees it.")
    return 0
