"""Feedback as the zip file that Moodle takes back.

Moodle finds a student by the name of a folder, which must be the one in its own
archive; `./course collect` has kept these names.
"""

import argparse
import zipfile
from pathlib import Path

from course_tools.atomic import replacing
from course_tools.classroom import shelf
from course_tools.errors import CommandError
from course_tools.grading.course.course import Course
from course_tools.words import number_of


def pack(arguments: argparse.Namespace) -> str:
    """What `./course feedback SET --zip moodle` does after the pages are written."""
    course = Course(arguments.course, arguments.db)
    name = course.full_name(arguments.assignment)
    return for_moodle(course, name, Path(arguments.to or f"feedback_{name}.zip"))


def for_moodle(course: Course, name: str, target: Path) -> str:
    """Pack the pages of a set; return what to tell the person."""
    record = shelf.read_record(shelf.top_of(course), name)
    folders = {s: own["folder"] for s, own in record.items() if own.get("folder")}
    if not folders:
        line = f"no submission of {name} came from Moodle (see ./course collect)"
        raise CommandError(line)
    count, without = 0, []
    with replacing(target, 0o600) as draft, zipfile.ZipFile(draft, "w") as archive:
        for student, folder in sorted(folders.items()):
            place = Path(course.path("feedback", student, name))
            pages = sorted(place.glob("*.html"))
            for page in pages:
                entry = f"{folder}/{page.name}"
                archive.write(page, entry, zipfile.ZIP_DEFLATED)
                count += 1
            without += [] if pages else [student]
    whose = number_of(len(folders) - len(without), "student")
    line = f"{target}: {number_of(count, 'page')} for {whose}"
    missing = f"; none yet for {', '.join(without)}" if without else ""
    return line + missing
