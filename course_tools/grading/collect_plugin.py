"""`nbgrader collect`, also from the formgrader, where students are hostile.

nbgrader's own takes a folder that names another student, with a warning; it follows
links, so that a link to the instructor's solution is a perfect answer; it believes the
time in the name; and one odd name or one pipe stops it for the whole class. In
nbgrader_config.py:

    c.ExchangeFactory.collect = "course_tools.grading.collect_plugin.Collect"
"""

import contextlib
import os
import shutil
import tempfile
from datetime import datetime
from typing import Any

from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeCollect
from traitlets import Bool

from course_tools.grading.course import inbound
from course_tools.grading.course.exchange import TIMESTAMP
from course_tools.grading.text import printable, writable

NAMED = 10  # files of one student that are left out and named
NOBODY = {"username": "", "filename": "", "timestamp": datetime.min}


class Collect(ExchangeCollect):
    """Takes each student's newest complete submission; says what it leaves out."""

    coursedir: Any  # nbgrader's CourseDirectory

    believe_names = Bool(
        False,
        help="Count the time in a submission's name whenever its files changed.",
    ).tag(config=True)

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """nbgrader asks this of each folder that is named after the set."""
        name = os.path.basename(path)
        try:
            arrived = inbound.examined(path, self.check_owner)
        except inbound.Refused as reason:
            self._leave_out(name, str(reason))
            return NOBODY
        when = arrived.said
        if (arrived.is_backdated or arrived.is_ahead) and not self.believe_names:
            when = arrived.changed
            order = "later" if arrived.is_backdated else "earlier"
            line = "%s was changed at %s UTC, %s than it says: this time counts"
            self.log.warning(line, shown(name), when.replace(microsecond=0), order)
        found = {"username": arrived.student, "filename": name, "timestamp": when}
        return {**found, "owner": arrived.owner, "changed": arrived.changed}

    def _leave_out(self, name: str, reason: str) -> None:
        self.log.warning("left out: %s: %s", shown(name), shown(reason))

    def init_src(self) -> None:
        super().init_src()
        self.src_records = [r for r in self.src_records if r["username"]]

    def copy_files(self) -> None:
        """Bring what is wanted to submitted/; one that fails holds up nobody else."""
        brought = 0
        for record in self.src_records:
            student, assignment = record["username"], self.coursedir.assignment_id
            place = self.coursedir.format_path(
                self.coursedir.submitted_directory, student, assignment
            )
            if not self._is_wanted(place, record["timestamp"]):
                continue
            try:
                self._bring(record, place)
                brought += 1
            except (OSError, inbound.Refused) as error:
                self._leave_out(record["filename"], str(error))
        line = "%d of %d submissions of '%s' are new and were collected"
        count = len(self.src_records)
        self.log.info(line, brought, count, self.coursedir.assignment_id)

    def _is_wanted(self, place: str, when: datetime) -> bool:
        """nbgrader's rules: what is there stays, unless asked to update it."""
        if not os.path.isdir(place):
            return True
        there = None
        with contextlib.suppress(ExchangeError, OSError, SystemExit, ValueError):
            there = self.coursedir.get_existing_timestamp(place)
        if self.before_duedate and there != when:
            return True
        return self.update and (there is None or when > there)

    def _bring(self, record: dict[str, Any], place: str) -> None:
        """Write a submission beside its place, then put it there."""
        path = os.path.join(self.inbound_path, record["filename"])
        owner, changed = record["owner"], record["changed"]
        files, left_out = inbound.contents(path, self.coursedir.ignore, owner, changed)
        reason = "no plain file of the student's, or too large"
        for name in left_out[:NAMED]:
            self._leave_out(f"{record['filename']}/{name}", reason)
        if (more := len(left_out) - NAMED) > 0:
            self._leave_out(record["filename"], f"{more} more files: {reason}")
        files[TIMESTAMP] = f"{record['timestamp']} UTC".encode()
        parent = os.path.dirname(place)
        os.makedirs(parent, exist_ok=True)
        draft = tempfile.mkdtemp(prefix=".collected-", dir=parent)
        try:
            write_all(files, os.path.join(draft, "new"))
            if os.path.lexists(place):
                os.rename(place, os.path.join(draft, "old"))
            os.rename(os.path.join(draft, "new"), place)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def write_all(files: dict[str, bytes], folder: str) -> None:
    os.mkdir(folder)
    for name, data in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "xb") as file:
            file.write(data)


def shown(text: str) -> str:
    """A name that a student chose, on a terminal."""
    return printable(writable(text))[:200]
