"""The command line: `./course COMMAND …`.

One entry of COMMANDS is one command; its two functions stand in commands.py.  This
module loads in a Python that has nothing installed yet: the launcher uses it to answer
`--help` and to find wrong arguments before it installs anything.
"""

import argparse
import difflib
import io
import os
import signal
import sys
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from course_tools.book import command as web_edition
from course_tools.cli import class_commands, commands
from course_tools.errors import CommandError, in_one_line
from course_tools.grading import arguments as grading
from course_tools.lean_imports import spare_grammars


class Command(NamedTuple):
    """One command."""

    person: str
    summary: str
    run: Callable[[argparse.Namespace], int]
    add_arguments: Callable[[argparse.ArgumentParser], None] = lambda parser: None
    passes_on: str = ""  # "rest": what is unknown here, or "--": what follows this mark
    needs_environment: bool = True  # False: runs before anything is installed, too


COMMANDS = {
    "lab": Command(
        "student",
        "open JupyterLab on the first page (first use installs what it needs)",
        commands.lab,
        commands.lab_arguments,
        passes_on="--",
    ),
    "check": Command(
        "student",
        "what the visible tests say about my notebook, question by question",
        commands.check,
        commands.check_arguments,
    ),
    "progress": Command(
        "student",
        "what I have read and solved so far, and what comes next",
        class_commands.progress,
        class_commands.progress_arguments,
    ),
    "update": Command(
        "student",
        "bring a newer edition here; what you have written stays",
        class_commands.update,
        class_commands.update_arguments,
        needs_environment=False,
    ),
    "find": Command(
        "student",
        "search the lectures and problem sets for words",
        commands.find,
        web_edition.find_arguments,
    ),
    "book": Command(
        "lecturer",
        "the web edition: pages that open by double-click, no network needed",
        commands.book,
        web_edition.book_arguments,
    ),
    "tidy": Command(
        "lecturer",
        "run notebooks and store them with clean, comparable outputs",
        commands.tidy,
        commands.tidy_arguments,
    ),
    "coverage": Command(
        "lecturer",
        "write notebooks/coverage.md: which cells show which concepts",
        commands.coverage,
    ),
    "test": Command(
        "lecturer",
        "run all tests, every notebook included (--fast: without the slow ones)",
        commands.test,
        commands.test_arguments,
        passes_on="rest",
    ),
    "release": Command(
        "instructor",
        "make the students' assignments/ from solutions/",
        commands.release,
        commands.release_arguments,
    ),
    "handout": Command(
        "instructor",
        "the students' edition: all but solutions, hidden tests and answers",
        class_commands.handout,
        class_commands.handout_arguments,
    ),
    "hub": Command(
        "instructor",
        "write a checked configuration of JupyterHub for a class",
        class_commands.hub,
        class_commands.hub_arguments,
    ),
    "collect": Command(
        "instructor",
        "put what Moodle or Canvas has packed up into submitted/",
        class_commands.collect,
        class_commands.collect_arguments,
    ),
    "grade": Command(
        "instructor",
        "grade all submissions of a set: in parallel, sandboxed, resumable",
        commands.grade,
        grading.grade_arguments,
    ),
    "feedback": Command(
        "instructor",
        "write a page of feedback for every graded submission",
        commands.feedback,
        grading.feedback_arguments,
    ),
    "export": Command(
        "instructor",
        "write all scores as a table for nbgrader, Canvas or Moodle",
        commands.export,
        grading.export_arguments,
    ),
    "similar": Command(
        "instructor",
        "pairs of submissions whose answers are alike beyond the set itself",
        commands.similar,
        grading.similar_arguments,
    ),
    "doctor": Command(
        "anyone",
        "what is installed, what is missing, how to get it",
        commands.doctor,
        commands.doctor_arguments,
        needs_environment=False,
    ),
    "setup": Command(
        "anyone",
        "install now what first use would install (grade, test: their parts, too)",
        commands.setup,
        commands.setup_arguments,
    ),
    "lock": Command(
        "developer",
        "write requirements/ from pyproject.toml: exact versions and hashes",
        commands.lock,
    ),
}

PEOPLE = {
    "student": """\
Student: read, run and change the lectures in notebooks/, then solve the problem sets
in assignments/. Everything runs on this computer, offline, without an account.""",
    "lecturer": """\
Lecturer: present the same notebooks; what they claim is executed and tested. After an
edit, tidy the notebook and run the tests.""",
    "instructor": """\
Instructor: problem sets are written in solutions/, handed out from assignments/ and
collected in submitted/. Plain nbgrader commands work in this folder too.""",
    "anyone": "Anyone:",
    "developer": "Developer:",
}


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        sys.exit(fail(f"{message} (see: ./{self.prog} --help)", code=2))


def parse(given: list[str]) -> argparse.Namespace:
    """The chosen command and its arguments; exits with one line when they are wrong."""
    if not given or given[0] in ("-h", "--help", "help"):
        try:
            print(help_text(), flush=True)
        except BrokenPipeError:
            enough_was_read()
        sys.exit(0)
    name, *rest = given
    if name not in COMMANDS:
        near = difflib.get_close_matches(name.lower(), COMMANDS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else "see: ./course --help"
        sys.exit(fail(f"there is no command '{name}'; {hint}", code=2))
    command = COMMANDS[name]
    parser = Parser(
        prog=f"course {name}", description=f"{command.summary}.", allow_abbrev=False
    )
    command.add_arguments(parser)
    after: list[str] = []
    if command.passes_on and "--" in rest:
        mark = rest.index("--")
        rest, after = rest[:mark], rest[mark + 1 :]
    arguments, unknown = parser.parse_known_args(rest)
    if unknown and command.passes_on != "rest":
        parser.error(f"'{name}' does not know: {' '.join(unknown)}")
    arguments.command, arguments.rest = name, unknown + after
    arguments.needs_environment = command.needs_environment
    arguments.cpu_torch = getattr(arguments, "cpu_torch", None)
    return arguments


def help_text() -> str:
    """The page that `./course --help` shows: the commands, person by person."""
    parts = [
        "From Recurrence to Attention: sequence models that one can run, check and "
        "grade.\n\nusage: ./course COMMAND …       (or: python course COMMAND …)"
    ]
    for person, text in PEOPLE.items():
        lines = [
            f"  {name:9} {command.summary}"
            for name, command in COMMANDS.items()
            if command.person == person
        ]
        parts.append("\n".join([text, *lines]))
    parts.append("More about a command: ./course COMMAND --help")
    return "\n\n".join(parts)


def fail(message: str, code: int = 1) -> int:
    """One clear line on stderr; returns the exit code."""
    print(f"course: {message}", file=sys.stderr)
    return code


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked; the one place where what goes wrong becomes one line."""
    try:
        code = COMMANDS[arguments.command].run(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        enough_was_read()
        return 0
    except KeyboardInterrupt as error:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left takes a moment
        return fail(str(error) or "interrupted", code=130)
    except Exception as error:
        if os.environ.get("COURSE_TRACEBACK"):
            raise
        code = error.code if isinstance(error, CommandError) else 1
        return fail(in_one_line(error), code)


def enough_was_read() -> None:
    """As in `./course doctor | head -1`: what is still to be written goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def be_lenient() -> None:
    """Show a question mark where a terminal lacks a sign, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def main() -> int:
    be_lenient()
    spare_grammars()
    return run(parse(sys.argv[1:]))
