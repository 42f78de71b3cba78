"""What all tests share: fixed arithmetic, checked array shapes, skips with a reason."""

from pathlib import Path

import pytest
from jaxtyping import install_import_hook

from course_lib.commands import pin_arithmetic
from course_lib.programs import missing_reason

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


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder that holds `course`."""
    return Path(__file__).resolve().parent.parent
