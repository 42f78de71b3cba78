"""What `./course test` tells pytest."""

import os

# Lectures compute on one thread each, so two workers keep two cores busy; with a third
# one, tests that wait for a browser come nearer to their patience.
WORKERS = 2


def pytest_arguments(given: list[str], fast: bool, cores: int) -> list[str]:
    """pytest's arguments: those given, and the defaults of the course where it is free.

    Paths are made absolute, because pytest runs in the folder of the course.  What a
    file shares is made once on a worker, hence `loadfile`; which files fall apart or
    stay together, and what comes first, stands in tests/support/longest_first.py.
    """
    arguments = [absolute(argument) for argument in given]
    if fast:
        arguments = without_slow(arguments)
    if cores > 1 and not is_one_at_a_time(arguments):
        arguments = ["-n", str(WORKERS), "--dist", "loadfile", *arguments]
    return arguments


def absolute(argument: str) -> str:
    """test_cli.py::test_help -> /…/test_cli.py::test_help, if there is such a file."""
    path, mark, name = argument.partition("::")
    if argument.startswith("-") or not os.path.exists(path):
        return argument
    return os.path.abspath(path) + mark + name


def without_slow(arguments: list[str]) -> list[str]:
    """Leave out slow tests, on top of a choice made with -m (pytest takes one only)."""
    if "-m" not in arguments[:-1]:
        return [*arguments, "-m", "not slow"]
    place = arguments.index("-m") + 1
    return [
        *arguments[:place],
        f"({arguments[place]}) and not slow",
        *arguments[place + 1 :],
    ]


def is_one_at_a_time(arguments: list[str]) -> bool:
    """Whether workers were chosen already, or would only cost time.

    One named test or file runs on one worker anyway; a debugger and a list of what
    would run need pytest itself.
    """
    alone = {"--pdb", "--trace", "--co", "--collect-only", "--dist", "--numprocesses"}
    if any(a.startswith(("-n", "-p")) or a.split("=")[0] in alone for a in arguments):
        return True
    named = [argument for argument in arguments if os.path.isabs(argument)]
    one_file = len(named) == 1 and os.path.isfile(named[0])
    return one_file or any("::" in argument for argument in arguments)
