"""What `./course test` tells pytest."""

import os


def pytest_words(given: list[str], fast: bool, cores: int) -> list[str]:
    """pytest's arguments: those given, and the defaults of the course where it is free.

    Paths are made absolute, because pytest runs in the folder of the course.  On two
    cores, two notebooks at a time with one thread each use the machine best; a
    notebook must stay with one worker, hence `loadfile`.
    """
    words = [absolute(word) for word in given]
    if fast:
        words = without_slow(words)
    if cores > 1 and not is_one_at_a_time(words):
        words = ["-n", "2", "--dist", "loadfile", *words]
    return words


def usable_cores() -> int:
    """How many cores this process may use; in a container, perhaps not all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def absolute(word: str) -> str:
    """test_cli.py::test_help -> /…/test_cli.py::test_help, if there is such a file."""
    path, mark, name = word.partition("::")
    if word.startswith("-") or not os.path.exists(path):
        return word
    return os.path.abspath(path) + mark + name


def without_slow(words: list[str]) -> list[str]:
    """Leave out slow tests, on top of a choice made with -m (pytest takes one only)."""
    if "-m" not in words[:-1]:
        return [*words, "-m", "not slow"]
    place = words.index("-m") + 1
    return [*words[:place], f"({words[place]}) and not slow", *words[place + 1 :]]


def is_one_at_a_time(words: list[str]) -> bool:
    """Whether workers were chosen already, or would only cost time.

    One named test or file runs on one worker anyway; a debugger and a list of what
    would run need pytest itself.
    """
    alone = {"--pdb", "--trace", "--co", "--collect-only", "--dist", "--numprocesses"}
    if any(w.startswith(("-n", "-p")) or w.split("=")[0] in alone for w in words):
        return True
    named = [word for word in words if os.path.isabs(word)]
    one_file = len(named) == 1 and os.path.isfile(named[0])
    return one_file or any("::" in word for word in words)
