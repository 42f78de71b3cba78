"""What all tests share: fixed arithmetic, checked array shapes, skips with a reason."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from annotated import annotated_modules
from jaxtyping import config, install_import_hook

from course_tools.cli.commands import pin_arithmetic
from course_tools.cli.programs import missing_reason

pytest.register_assert_rewrite("launcher_fixtures")

# Before torch is loaded, so that plain `pytest` computes what `./course test` computes.
pin_arithmetic()

# A shell that starts the tests in the background makes them, and all that they start,
# deaf to Ctrl-C; some tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Exercises that tests solve are not progress of the person who runs the tests.
os.environ.pop("COURSE_PROGRESS", None)

# Array annotations are checked at every call under pytest, and cost nothing elsewhere.
install_import_hook(annotated_modules(), "beartype.beartype")


@pytest.fixture
def unchecked() -> Iterator[None]:
    """Without the checks of annotations, as in a notebook: for our own messages."""
    config.update("jaxtyping_disable", True)
    yield
    config.update("jaxtyping_disable", False)


def needs(program: str) -> pytest.MarkDecorator:
    """Mark for tests that use chromium, bwrap or postgres."""
    return pytest.mark.needs(program)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log):
    """`./course test` asks for whole files; see longest_first.py for what it gets."""
    if config.getvalue("dist") != "loadfile":
        return None
    from longest_first import LongestFirst

    return LongestFirst(config, log)


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Skip tests whose program is not installed, and say how to get it."""
    if hasattr(config, "workerinput"):  # one of several at work
        from longest_first import in_order

        place = {name: n for n, name in enumerate(in_order([i.nodeid for i in items]))}
        items.sort(key=lambda item: place[item.nodeid])
    for item in items:
        for mark in item.iter_markers("needs"):
            for program in mark.args:
                if reason := missing_reason(program):
                    item.add_marker(pytest.mark.skip(reason=reason))


def lecture_rows(config: pytest.Config) -> list[tuple]:
    """(name, seconds, share of outputs compared) of each lecture that was run."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    stats = getattr(reporter, "stats", {})
    reports = [*stats.get("passed", []), *stats.get("failed", [])]
    rows = [dict(report.user_properties).get("lecture") for report in reports]
    return sorted(tuple(row) for row in rows if row)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """All lectures together have a budget.  No single test knows the seconds of all,
    so the session itself reports a failure, as if one more test had been run."""
    rows = lecture_rows(session.config)
    if not rows or hasattr(session.config, "workerinput"):
        return  # the session that started the workers has the rows of all of them
    from lectures import over_total

    if complaint := over_total(rows):
        name = "tests/support/lectures.py::TOTAL_BUDGET"
        place = ("tests/support/lectures.py", None, "TOTAL_BUDGET")
        report = pytest.TestReport(name, place, {}, "failed", complaint, "call")
        session.config.hook.pytest_runtest_logreport(report=report)
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter) -> None:
    """A table of the lectures that were run: seconds, and share of outputs compared."""
    rows = lecture_rows(terminalreporter.config)
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
