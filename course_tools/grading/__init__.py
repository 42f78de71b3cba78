"""Grade notebooks fast and fairly: judge apart, student code in a sandbox.

    from course_tools.grading import GradeOptions, grade

    report = grade("my_course", "ps1_rnn", GradeOptions(only=("ada",)))
    print(report.rows[0].score)

How a submission travels, one folder per step; imports only go down:

    options, messages, validate, limits, text   what all parts share
    plan/      submission -> trusted notebook -> plan (student | locked | test cells)
    bridge/    what crosses between student and judge: JSON and buffers, never pickle
    sandbox/   what the forked student process is shut into
    student/   runs the student's cells, answers calls
    judge/     runs the instructor's cells; student names are stand-ins
    zygote/    the warm process that forks both; locked cells run once for a class
    course/    where nbgrader keeps things: folders, gradebook, records, export
    pages/     outputs and feedback made safe to look at
    run/       one job, all submissions in parallel, the report
    command, arguments, plugin, protections     the command line, nbgrader, doctor
"""

import os
from typing import TYPE_CHECKING

from course_tools.grading.options import GradeOptions

if TYPE_CHECKING:
    from course_tools.grading.run.report import Report

__all__ = ["GradeOptions", "grade"]


def grade(
    course: str | os.PathLike[str],
    assignment: str,
    options: GradeOptions | None = None,
) -> "Report":
    """Grade the submissions of one assignment; return what came of it.

    `course` is an nbgrader course folder, `assignment` a name as one types it (ps1).
    Raises CommandError, with one line for a person, when grading cannot go on, and
    Stopped, a KeyboardInterrupt, when it is interrupted. What is graded is kept: the
    same call goes on from there.
    """
    from course_tools.grading.run import coordinator  # heavy: nbgrader, a database

    return coordinator.grade(os.fspath(course), assignment, options or GradeOptions())
