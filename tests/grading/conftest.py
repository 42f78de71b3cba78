"""A warm process shared by the tests of the engine, and short ways to use it."""

import pytest
from kept import Kept
from made_notebook import Bench

from course_tools.grading.run import zygote_client


@pytest.fixture(scope="session")
def zygote():
    started = zygote_client.start()
    yield started
    started.close()


@pytest.fixture
def warm(zygote, monkeypatch):
    """Let `grade` use the shared warm process: starting one takes seconds."""
    monkeypatch.setattr(zygote_client, "begin", lambda: None)
    monkeypatch.setattr(zygote_client, "start", lambda *_: Kept(zygote))


@pytest.fixture
def bench(zygote):
    return Bench(zygote)
