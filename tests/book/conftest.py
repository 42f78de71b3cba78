"""The whole book, made once, without the frames of interactive parts."""

from pathlib import Path

import pytest

from course_tools.book.build import Wish, build

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def book(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    build(ROOT, Wish(folder, frames=0))
    return folder
