"""What all tests share: fixed arithmetic, checked array shapes, skips with a reason."""

from pathlib import Path

import pytest
from jaxtyping import install_import_hook

from course_lib.commands import pin_arithmetic
from course_lib.programs import missing_reason

pytest.register_assert_rewrite("launcher_fixtures")

# Before torch is loaded, so that plain `pytest` computes what `./course test` computes.
pin_arithmetic()

# Array annotations are checked at every call under pytest, and cost nothing elsewhere.
ANNOTATED = ["numpy_cells", "models", "check", "train"]
install_import_hook([f"course_lib.{name}" for name in ANNOTATED], "beartype.beartype")


def needs(program: str) -> pytest.MarkDecorator:
    """Mark for tests that use chromium, bwrap or postgres."""
    return pytest.mark.needs(program)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests whose program is not installed, and say how to get it."""
    for item in items:
        for mark in item.iter_markers("needs"):
            for program in mark.args:
                if reason := missing_reason(program):
                    item.add_marker(pytest.mark.skip(reason=reason))


def pytest_terminal_summary(terminalreporter) -> None:
    """A table of the lectures that were run: seconds, and share of outputs compared."""
    reports = terminalreporter.stats.get("passed", [])
    reports = reports + terminalreporter.stats.get("failed", [])
    rows = [dict(r.user_properties).get("lecture") for r in reports]
    rows = sorted(tuple(row) for row in rows if row)
    if rows:
        terminalreporter.section("lectures")
        for name, seconds, share in rows:
            line = f"{name:28} {seconds:5.0f} s   {share:4.0%} of code cells compared"
            terminalreporter.write_line(line)
        total = sum(seconds for _, seconds, _ in rows)
        terminalreporter.write_line(f"{'all':28} {total:5.0f} s")


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder that holds `course`."""
    return Path(__file__).resolve().parent.parent
