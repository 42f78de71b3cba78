"""A plugin of pytest: where a large package is left out, its tests are skipped by name.

Whatever else is missing, or fails, stays an error.
"""

import re
from collections.abc import Generator
from typing import Any

import pytest

LEFT_OUT = ("torch", "transformers", "playwright", "axe_playwright_python", "uv")
MISSING = re.compile(rf"No module named '({'|'.join(LEFT_OUT)})\b")


def reason(name: str) -> str:
    return f"needs {name}, which is left out here"


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator:
    """A file that imports such a package."""
    report = yield
    if report.failed and (match := MISSING.search(str(report.longrepr))):
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 0, reason(match[1]))
    return report


def skipping() -> Generator[None, Any, Any]:
    try:
        return (yield)
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name in LEFT_OUT:
            pytest.skip(reason(name))
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator:
    """A fixture that imports one."""
    return (yield from skipping())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator:
    """A test that does."""
    return (yield from skipping())
