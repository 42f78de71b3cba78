"""Frames of interactive parts: which states, and that each is drawn and described."""

import json

import pytest

from course_lib.show import frames
from course_lib.show.plots import figure
from course_lib.show.widgets import choice, explore, slider


def draw(n, name="a"):
    fig, ax = figure(2, 1)
    ax.plot([0, n])
    return fig, f"A line up to {n} for {name}."


def test_small_parts_keep_every_state():
    controls = {"n": slider("n", 0, 4, 2), "name": choice("name", ["a", "b"])}
    assert frames.grid(controls) == {"n": [0, 1, 2, 3, 4], "name": ["a", "b"]}


def test_long_sliders_keep_their_ends_and_their_start():
    controls = {"w": slider("w", 0.0, 10.0, 3.3, step=0.1), "name": choice("c", "abc")}
    values = frames.grid(controls, most=30)
    assert len(values["w"]) <= 10
    assert {0.0, 3.3, 10.0} <= {*values["w"]}
    assert values["name"] == ["a", "b", "c"]


def test_a_slider_that_starts_at_its_end_keeps_its_middle():
    controls = {"n": slider("n", 1, 40, 1), "m": slider("m", 1, 40, 40)}
    values = frames.grid(controls, most=9)
    assert values["n"] == values["m"] == [1, 21, 40]


def test_values_given_for_the_web_are_taken_as_they_are():
    controls = {"w": slider("w", 0.0, 10.0, 1.0, step=0.1)}
    assert frames.grid(controls, {"w": [1.0, 2.0]}) == {"w": [1.0, 2.0]}


def test_explore_draws_frames_only_where_they_are_wanted(tmp_path, monkeypatch):
    explore(draw, n=slider("n", 1, 3, 2))
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv(frames.FOLDER, str(tmp_path))
    explore(draw, n=slider("n", 1, 3, 2), name=choice("name", ["a", "b"]))
    part = tmp_path / "part-1"
    table = json.loads((part / "frames.json").read_text())
    assert len(table["files"]) == 6
    assert table["descriptions"][1] == "A line up to 1 for b."
    assert [control["start"] for control in table["controls"]] == [1, 0]
    assert all((part / name).read_bytes()[8:12] == b"WEBP" for name in table["files"])


@pytest.mark.parametrize("most", [2, 5, 12])
def test_there_are_never_more_than_asked_for(most):
    controls = {"a": slider("a", 0, 50, 7), "b": slider("b", 0, 9, 9)}
    values = frames.grid(controls, most=most)
    assert len(values["a"]) * len(values["b"]) <= max(most, 4)


def test_a_choice_is_named_as_the_reader_knows_it():
    labelled = choice("layer", [("eight units", (8, "forward")), ("none", None)])
    assert frames.named(labelled, frames.steps(labelled)) == ["eight units", "none"]
    assert frames.named(choice("name", ["a", "b"]), ["b"]) == ["b"]
    assert frames.named(slider("n", 1, 3, 2), [1, 3]) == ["1", "3"]
