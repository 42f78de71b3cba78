"""The class at the exchange: all arrive, and one who did not would be named."""

import importlib
import os
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def load(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    monkeypatch.setenv("PATH", path)
    return importlib.import_module("exchange_load")


@pytest.mark.skipif(sys.platform == "win32", reason="the exchange needs Linux or macOS")
def test_a_small_class_arrives_whole_and_a_loss_is_named(load, tmp_path):
    table = load.measure(5, tmp_path)
    assert "| 5 | 5 of 5 |" in table
    students = ["ada", "bob"]
    arrived = {"ada": load.answer_of("ada"), "bob": load.answer_of("ada")}
    assert load.lost(students, arrived) == ["bob"]
    assert load.lost([*students, "cyd"], arrived) == ["bob", "cyd"]
