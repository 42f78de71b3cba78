"""Every diagram of the course is well drawn, and its numbers are the computed ones."""

import matplotlib.pyplot as plt
import pytest
from stopwatch import assert_quick

from course_lib.show.diagram import draw, panels, play, problems
from course_lib.show.diagram.model import Frame
from course_lib.show.mechanisms import ALL, task_shapes
from course_lib.show.mechanisms.task_shapes import SHAPES

EACH = pytest.mark.parametrize("mechanism", ALL, ids=lambda make: make.__name__)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@EACH
def test_nothing_is_in_the_way_of_anything(mechanism):
    assert problems(mechanism()) == []


@EACH
def test_every_part_is_lit_in_some_step(mechanism):
    """A part that never wakes up was forgotten in the steps; frames need not."""
    diagram = mechanism()
    lit = set().union(*(diagram.lit(k + 1) for k in range(len(diagram.steps))))
    frames = {n.name for n in diagram.nodes.values() if isinstance(n, Frame)}
    assert diagram.lit(None) - lit - frames == set()


@EACH
def test_pictures_are_described_in_words(mechanism):
    """Screen readers get whole sentences, without the marks of formulas."""
    diagram = mechanism()
    said = [diagram.description(k + 1) for k in range(len(diagram.steps))]
    for text in (diagram.description(), *said):
        assert len(text) > 60
        assert not set("$\\") & set(text)
    assert len(set(said)) == len(said)


@EACH
def test_panels_and_player_show_every_step(mechanism):
    diagram = mechanism()
    fig, _ = panels(diagram)
    assert len(fig.axes) == len(diagram.steps)
    player = play(diagram)
    assert player.children[0].max == len(diagram.steps)
    assert "<img" in player.children[-1].value


def test_a_step_of_the_player_is_quick():
    """The diagram with the most to draw."""
    diagram = max((make() for make in ALL), key=lambda made: len(made.parts))
    assert_quick(lambda: draw(diagram, len(diagram.steps)))


def test_task_shapes_have_a_box_for_every_step_and_feed_outputs_back():
    diagram = task_shapes()
    for shape in SHAPES:
        boxes = [name for name in diagram.nodes if name.startswith(f"{shape.key}_")]
        kinds = [name.removeprefix(f"{shape.key}_")[0] for name in boxes]
        assert kinds.count("x") == shape.inputs
        assert kinds.count("y") == shape.outputs
        assert kinds.count("h") == shape.states
        back = [a for a in diagram.arrows if a.name.startswith(f"{shape.key}_y")]
        assert len(back) == (shape.outputs - 1 if shape.feeds else 0)


def test_aligned_tasks_share_their_steps_and_unaligned_ones_do_not():
    states = {shape.key: shape.states for shape in SHAPES}
    assert states == {"one": 1, "last": 3, "write": 3, "each": 3, "after": 3 + 2}
