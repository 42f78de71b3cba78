"""Which tests stay together on a worker, and in which order they are handed out.

pytest-xdist hands out whole files, those with the most tests first.  But one file here
holds all lectures, a quarter of the time, and some of the longest hold one test: last
in line, they leave the other worker without work.  So work is handed out in smaller
pieces, and the longest first.
"""

import re
from collections import Counter

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

# Folders of which all files share something that is made once for a worker.
TOGETHER = ("tests/book",)
# Files that fall apart by the first word of a parameter: nothing is shared between a
# lecture and the next, or a problem set and the next.
APART = ("tests/notebooks/test_run.py", "tests/answers/test_answers.py")
PARAMETER = re.compile(r"\[([a-zA-Z0-9]+_[a-zA-Z0-9_]+)")

# About how many seconds a piece takes on a free core: only the order matters.  A piece
# that is not named counts for what its tests are, each a fraction of a second.
SECONDS = {
    "tests/answers/test_answers.py[ps7_transformer]": 400,
    "tests/browser/test_interactive.py": 300,
    "tests/hub/test_hub.py": 200,
    "tests/answers/test_answers.py": 120,
    "tests/cli/test_launcher.py": 100,
    "tests/cli/test_launcher_trouble.py": 100,
    "tests/cli/test_launcher_interrupted.py": 100,
    "tests/test_newest_python.py": 120,
    "tests/attacks/test_attacks.py": 80,
    "tests/browser/test_formgrader.py": 60,
    "tests/browser/test_students_day.py": 60,
    "tests/grading/run/test_faults.py": 60,
    "tests/test_types.py": 60,
    "tests/book": 50,
    "tests/models/test_shakespeare_gpt.py": 40,
    "tests/models/test_requests_gpt.py": 40,
    "tests/notebooks/test_run.py": 40,
    "tests/grading/run/test_bounds.py": 30,
    "tests/grading/run/test_watch.py": 30,
    "tests/grading/run/test_scale.py": 30,
}
USUAL = 0.2


def piece(test: str) -> str:
    """What a test is handed out with: mostly the rest of its file."""
    path, _, name = test.partition("::")
    for folder in TOGETHER:
        if path.startswith(f"{folder}/"):
            return folder
    if path in APART and (parameter := PARAMETER.search(name)):
        return f"{path}[{parameter[1]}]"
    return path


def seconds(name: str, tests: int) -> float:
    """About how long a piece of so many tests takes."""
    whole = name.partition("[")[0]
    return SECONDS.get(name, SECONDS.get(whole, USUAL * tests))


def in_order(tests: list[str]) -> list[str]:
    """The same tests: the longest piece first, and in a piece as they were."""
    pieces = Counter(map(piece, tests))

    def place(test: str) -> tuple[float, str]:
        name = piece(test)
        return -seconds(name, pieces[name]), name

    return sorted(tests, key=place)


class LongestFirst(LoadScopeScheduling):
    """xdist's own way to hand out what stays together, in the order of `in_order`."""

    def __init__(self, config: pytest.Config, log: Producer | None = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # not those with the most tests first

    def _split_scope(self, nodeid: str) -> str:
        return piece(nodeid)
