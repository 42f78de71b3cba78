"""The command line: `./course WORD …`.

One entry of COMMANDS is one command: who it is for, one line of help, a function that
adds its arguments, and a function that does the work and returns an exit code.  Heavy
imports stand inside those functions, so that `./course --help` is instant and this
module also loads in a Python that has nothing installed yet (the launcher uses it to
find wrong words before it installs anything).
"""

import argparse
import difflib
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from course_lib.errors import CommandError

ROOT = Path(__file__).resolve().parent.parent

# Two x86 machines give the same floating-point numbers only with the same instructions
# and the same number of threads.  Stored outputs are compared, so both are fixed.
PINS = {
    "MKL_CBWR": "AVX2",
    "ATEN_CPU_CAPABILITY": "avx2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "OMP_NUM_THREADS": "1",
}


def pin_arithmetic() -> None:
    """Fix instructions and threads for this process; call it before torch is imported.

    Values that are already set stay, so that a developer can measure other settings.
    """
    for name, value in PINS.items():
        os.environ.setdefault(name, value)


def replace_process(command: list[str]) -> int:
    """Run `command` in place of this process, so that Ctrl-C reaches it directly."""
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(command[0], command)
    return subprocess.call(command)


# --- the commands -------------------------------------------------------------------


def setup_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cpu-torch",
        metavar="URL",
        help="on first use, take PyTorch from this wheel index as well; the address of "
        "the CPU build stands on PyTorch's install page and saves several GB of GPU "
        "packages on Linux",
    )


def setup(arguments: argparse.Namespace) -> int:
    """The launcher has done the work by the time this runs."""
    print(f"Ready: {sys.prefix}")
    return 0


def lab_arguments(parser: argparse.ArgumentParser) -> None:
    setup_arguments(parser)
    parser.add_argument(
        "--no-browser", action="store_true", help="only print the address"
    )
    parser.add_argument(
        "--port", type=int, help="instead of the first free one from 8888"
    )
    parser.add_argument(
        "jupyter", nargs="*", metavar="-- OPTION", help="options for JupyterLab itself"
    )


def lab(arguments: argparse.Namespace) -> int:
    from course_lib import lab as jupyter

    return replace_process(
        jupyter.command(
            ROOT, arguments.port, not arguments.no_browser, arguments.jupyter
        )
    )


def test_arguments(parser: argparse.ArgumentParser) -> None:
    setup_arguments(parser)
    parser.add_argument("--fast", action="store_true", help="leave out the slow tests")
    parser.epilog = "Everything else is passed on to pytest, for example -k rnn or -x."


def test(arguments: argparse.Namespace) -> int:
    pin_arithmetic()
    words = pytest_words(arguments.rest, arguments.fast, os.cpu_count() or 1)
    os.chdir(ROOT)
    return replace_process([sys.executable, "-P", "-m", "pytest", *words])


def pytest_words(given: list[str], fast: bool, cores: int) -> list[str]:
    """pytest's arguments: those given, and the defaults of the course where it is free.

    Paths are made absolute, because pytest runs in the folder of the course.  Notebooks
    must not be split between workers (one kernel each), hence `loadfile`.
    """
    words = [absolute_test(word) for word in given]
    if fast:
        words += ["-m", "not slow"]
    has_n = any(w.startswith(("-n", "--numprocesses", "-p")) for w in words)
    single = any("::" in word for word in words)
    if cores > 1 and not has_n and not single and "--pdb" not in words:
        words = ["-n", "2", "--dist", "loadfile", *words]
    return words


def absolute_test(word: str) -> str:
    """test_cli.py::test_help -> /…/test_cli.py::test_help, if there is such a file."""
    path, mark, name = word.partition("::")
    if word.startswith("-") or not os.path.exists(path):
        return word
    return os.path.abspath(path) + mark + name


def tidy_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebooks", nargs="+", metavar="NOTEBOOK")


def tidy(arguments: argparse.Namespace) -> int:
    pin_arithmetic()
    from course_lib import notebooks

    return notebooks.main(arguments.notebooks)


def release_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sets", nargs="*", metavar="SET", help="all of them when none")


def release(arguments: argparse.Namespace) -> int:
    from course_lib import assignments

    return assignments.release(arguments.sets) or 0


def check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", metavar="SET", help="a problem set, such as ps1_rnn")
    parser.add_argument(
        "--notebook", type=Path, metavar="FILE", help="instead of the set's own"
    )


def check(arguments: argparse.Namespace) -> int:
    from course_lib import assignments

    return assignments.check(arguments.set, notebook=arguments.notebook)


def doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")


def doctor(arguments: argparse.Namespace) -> int:
    from course_lib import doctor as examination

    return examination.main(ROOT, as_json=arguments.json)


def lock(arguments: argparse.Namespace) -> int:
    from course_lib import lock as versions

    return versions.main(ROOT)


@dataclass(frozen=True)
class Command:
    """One word of the command line."""

    person: str
    summary: str
    run: Callable[[argparse.Namespace], int]
    add_arguments: Callable[[argparse.ArgumentParser], None] = lambda parser: None
    passes_on: bool = False  # unknown options go to another program
    needs_environment: bool = True


COMMANDS = {
    "lab": Command("student", "open JupyterLab on the first page", lab, lab_arguments),
    "check": Command(
        "student",
        "what the visible tests say about my notebook",
        check,
        check_arguments,
    ),
    "doctor": Command(
        "anyone",
        "what is installed, what is missing, how to get it",
        doctor,
        doctor_arguments,
        needs_environment=False,
    ),
    "setup": Command(
        "anyone", "install now what first use would install", setup, setup_arguments
    ),
    "tidy": Command(
        "lecturer",
        "run notebooks and store them with clean outputs",
        tidy,
        tidy_arguments,
    ),
    "test": Command(
        "lecturer",
        "run every test, notebooks included (--fast leaves out the slow ones)",
        test,
        test_arguments,
        passes_on=True,
    ),
    "release": Command(
        "instructor",
        "make assignments/ from solutions/",
        release,
        release_arguments,
    ),
    "lock": Command("developer", "write requirements.lock from .venv", lock),
}


def parse(words: list[str]) -> argparse.Namespace:
    """The chosen command and its arguments; exits with one line when they are wrong."""
    parser = argparse.ArgumentParser(prog="course")
    if not words or words[0] in ("-h", "--help", "help"):
        print_help()
        sys.exit(0)
    name, *rest = words
    if name not in COMMANDS:
        near = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else "see: ./course --help"
        sys.exit(fail(f"there is no command '{name}'; {hint}", code=2))
    command = COMMANDS[name]
    parser = argparse.ArgumentParser(
        prog=f"course {name}", description=command.summary, allow_abbrev=False
    )
    command.add_arguments(parser)
    arguments, others = parser.parse_known_args(rest)
    if others and not command.passes_on:
        parser.error(f"unknown argument: {' '.join(others)}")
    arguments.rest, arguments.command = others, name
    arguments.needs_environment = command.needs_environment
    arguments.cpu_torch = getattr(arguments, "cpu_torch", None)
    return arguments


def print_help() -> None:
    print("usage: ./course COMMAND …\n")
    for name, command in COMMANDS.items():
        print(f"  {name:8} ({command.person}) {command.summary}")


def fail(message: str, code: int = 1) -> int:
    """One clear line on stderr; returns the exit code."""
    print(f"course: {message}", file=sys.stderr)
    return code


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked; what the person can put right becomes one line."""
    try:
        return COMMANDS[arguments.command].run(arguments)
    except CommandError as error:
        return fail(str(error))
    except KeyboardInterrupt:
        return fail("stopped", code=130)


def main() -> int:
    return run(parse(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
