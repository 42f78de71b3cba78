"""`./course hub`: its arguments, and what it says."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from course_tools.errors import CommandError

if TYPE_CHECKING:
    from course_tools.hub.settings import Settings

EXCHANGE = Path("/srv/nbgrader/exchange")
COURSE = Path("/srv/instructors/course")
COURSE_ID = "recurrence_to_attention"
ADDRESS = "http://127.0.0.1:8000"
EPILOG = """Run it in the students' edition, as root. It writes files and nothing else;
docs/a_class_on_a_hub.md goes through it step by step."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("folder", metavar="DIR", type=Path, help="for the files of the hub")
    add("--check", action="store_true", help="look only: is DIR's hub fit to start?")
    add("--instructor", action="append", metavar="NAME", help="once for each of them")
    add("--course", type=Path, metavar="DIR", default=COURSE, help=f"{COURSE}: clone")
    add("--grader", metavar="NAME", default="grader", help="account that owns --course")
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--group", metavar="NAME", help="students' group (students)")
    who.add_argument("--students", metavar="FILE", type=Path, help="one name a line")
    where = f"nbgrader's: {EXCHANGE}"
    add("--exchange", type=Path, metavar="DIR", default=EXCHANGE, help=where)
    add("--course-id", metavar="WORD", default=COURSE_ID, help=COURSE_ID)
    add("--authenticator", metavar="NAME", default="pam", help="or a class's full name")
    add("--address", metavar="URL", default=ADDRESS, help=f"{ADDRESS}, or https://…")
    add("--ssl-key", type=Path, metavar="FILE", help="for an address with https")
    add("--ssl-cert", type=Path, metavar="FILE", help="its certificate")
    add("--db", metavar="URL", default="", help="gradebook (SQLite in --course)")
    add("--memory", metavar="SIZE", default="4G", help="of one student: 4G")
    add("--processes", type=int, metavar="N", default=400, help="and threads: 400")
    add("--cores", type=float, metavar="N", default=2.0, help="of one student: 2")
    add("--replace", action="store_true", help="keep what is there as .before")
    parser.epilog = EPILOG


def run(arguments: argparse.Namespace, root: Path) -> int:
    from course_tools.hub import preflight, write

    if arguments.check:
        return check(arguments.folder)
    settings = read(arguments, root)
    names = write.write(settings, arguments.replace)
    print(f"Written to {settings.folder}: {', '.join(names)}")
    found = preflight.findings(write.place_of(settings))
    if found:
        print("Before it starts:")
        print("\n".join(f"  {line}" for line in found))
        print(f"Then look again: ./course hub {settings.folder} --check")
    print(f"Start it as root: {write.start_command(settings)}")
    print(f"or by systemd:    {settings.folder}/course-hub.service")
    return 0


def read(arguments: argparse.Namespace, root: Path) -> "Settings":
    """The arguments as settings; a wrong one becomes one line."""
    from course_tools.hub import settings as parse
    from course_tools.hub.programs import proxy_command

    given, course = arguments, parse.place(arguments.course, "--course")
    if not given.instructor:
        raise parse.refuse("who instructs? --instructor NAME, once for each of them")
    instructors = tuple(dict.fromkeys(map(parse.account, given.instructor)))
    grader = parse.account(given.grader)
    if grader in instructors:
        raise parse.refuse(f"--grader {grader}: an account of its own, nobody's login")
    names = parse.names_in(given.students) if given.students else ()
    if both := {*names} & {*instructors, grader}:
        raise parse.refuse(f"{min(both)} cannot be a student as well")
    group = "" if names else parse.account(given.group or "students")
    certificate = parse.certificate(given.ssl_key, given.ssl_cert)
    return parse.Settings(
        folder=parse.place(given.folder, "DIR"),
        shared=parse.place(root, "this course in"),
        course=course,
        exchange=parse.place(given.exchange, "--exchange"),
        course_id=parse.course_id(given.course_id),
        grader=grader,
        instructors=instructors,
        students=names,
        group=group,
        authenticator=parse.authenticator(given.authenticator, bool(group)),
        address=parse.address(given.address, certificate is not None),
        certificate=certificate,
        gradebook=parse.gradebook(given.db, course),
        memory=parse.memory(given.memory),
        processes=parse.processes(given.processes),
        cores=parse.cores(given.cores),
        proxy=proxy_command(),
    )


def check(folder: Path) -> int:
    """Read the configuration as the hub does, which looks at everything first."""
    from traitlets.config.loader import ConfigFileNotFound, PyFileConfigLoader

    from course_tools.hub.write import CONFIG

    try:
        PyFileConfigLoader(CONFIG, path=str(folder.resolve())).load_config()
    except ConfigFileNotFound:
        raise CommandError(f"there is no {folder / CONFIG}", code=2) from None
    except SystemExit as found:
        print(str(found).removeprefix("course: "))
        return 1
    print(f"{folder}: ready to start")
    return 0
