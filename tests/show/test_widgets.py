"""The thin layer between sliders and drawing functions."""

import re

from course_lib.show import plots
from course_lib.show.widgets import choice, explore, slider


def draw(n: int, shape: str = "line"):
    if n == 13:
        raise RuntimeError("13 <b>breaks</b> it")
    fig, ax = plots.figure()
    ax.plot(range(n))
    return fig, f'{shape} of "{n}" points'


def test_the_picture_follows_the_controls():
    box = explore(draw, n=slider("points", 1, 20, 3), shape=choice("shape", ["a", "b"]))
    n, shape, screen = box.children
    first = screen.value
    assert 'alt="a of &quot;3&quot; points"' in first
    n.value = 7
    shape.value = "b"
    assert 'alt="b of &quot;7&quot; points"' in screen.value
    assert re.search("base64,[A-Za-z0-9+/]{100}", screen.value)
    assert first.split("base64,")[1] != screen.value.split("base64,")[1]


def test_an_error_in_a_callback_is_shown_and_the_next_move_recovers():
    box = explore(draw, n=slider("points", 1, 20, 3))
    n, screen = box.children
    n.value = 13
    assert "RuntimeError: 13 &lt;b&gt;breaks" in screen.value
    n.value = 14
    assert "<img" in screen.value


def test_whole_numbers_get_whole_steps():
    assert slider("n", 1, 9, 3).step == 1
    assert slider("w", 0.0, 2.0, 1.0).step == 0.02
