"""A warm process shared by the tests of the engine, and short ways to use it."""

import pytest
from made_notebook import Bench

from course_lib.grading import launch


@pytest.fixture(scope="session")
def zygote():
    started = launch.start()
    yield started
    started.close()


class Kept:
    """The shared warm process, for code that would start and end one of its own."""

    def __init__(self, zygote):
        self.zygote = zygote

    def __getattr__(self, name):
        return getattr(self.zygote, name)

    def close(self):
        """It is still needed."""


@pytest.fixture
def warm(zygote, monkeypatch):
    """Let `grade` use the shared warm process: starting one takes seconds."""
    monkeypatch.setattr(launch, "start", lambda *_: Kept(zygote))


@pytest.fixture
def bench(zygote):
    return Bench(zygote)
