"""The diagram language: where things stand, what is lit, and what the check finds."""

import textwrap
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

import course_lib.show.diagram as package
from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Op,
    Step,
    Tensor,
    above,
    brace,
    column,
    draw,
    frame,
    left_of,
    panels,
    problems,
    right_of,
    row,
)
from course_lib.show.diagram.letters import measure, plain, wrap
from course_lib.show.diagram.roles import COLOURS
from course_lib.show.diagram.route import way
from course_lib.show.plots import show

A = Box("a", "first", wide=1.0, high=0.4)
B = right_of(A, Box("b", "second", wide=1.0, high=0.4), gap=0.7)


def diagram(*parts, steps=()) -> Diagram:
    return Diagram("a test", parts, "Two boxes and an arrow between them.", steps)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


# --- places and ways


def test_helpers_keep_the_gap_between_borders():
    assert B.box[0] - A.box[2] == pytest.approx(0.7)
    assert B.at[1] == A.at[1]
    up = above(A, Box("c", "third", wide=0.3, high=0.2), gap=0.5, shift=0.1)
    assert up.box[1] - A.box[3] == pytest.approx(0.5)
    assert up.at[0] == pytest.approx(0.1)
    assert A.box[0] - left_of(A, B, gap=0.3).box[2] == pytest.approx(0.3)


@pytest.mark.parametrize(("helper", "axis"), [(row, 0), (column, 1)])
def test_rows_and_columns_are_even(helper, axis):
    nodes = helper([Box(name, name, wide=0.5, high=0.3) for name in "uvw"], gap=0.2)
    distances = np.diff([node.at[axis] for node in nodes])
    np.testing.assert_allclose(distances, 0.2 + (0.5, 0.3)[axis])


def test_a_frame_holds_the_captions_and_a_brace_has_its_tip_at_the_middle():
    t = Tensor("t", np.zeros((2, 3)), label="$T$")
    around = frame("f", [t, B], pad=0.1)
    assert around.box[3] == pytest.approx(t.room[3] + 0.1)
    assert t.room[3] > t.box[3]
    tip = brace("both", [A, above(A, B)], "right").edge("right")
    assert tip[1] == pytest.approx((A.box[1] + above(A, B).box[3]) / 2)


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_a_brace_points_away_from_what_it_holds_and_its_label_stands_at_the_tip(side):
    both = brace("both", [A, B], side, label="two boxes")
    assert problems(diagram(A, B, both)) == []
    fig, _ = draw(diagram(A, B, both))
    (label,) = [t for t in fig.axes[0].texts if t.get_text() == "two boxes"]
    away = np.subtract(both.edge(side), both.at)
    assert np.dot(np.subtract(label.get_position(), both.edge(side)), away) > 0
    assert np.dot(np.subtract(both.at, (0.85, 0.0)), away) > 0


@pytest.mark.parametrize("corner", ["top left", "top right", "bottom left"])
def test_the_label_of_a_frame_stands_inside_its_corner(corner):
    around = frame("f", [A, B], "× N", pad=(0.1, 0.35, 0.1, 0.35), corner=corner)
    assert problems(diagram(around, A, B, Arrow("a", "b"))) == []
    fig, _ = draw(diagram(around, A, B))
    (label,) = [t for t in fig.axes[0].texts if t.get_text() == "× N"]
    x, y = np.subtract(label.get_position(), around.at)
    assert ("top" if y > 0 else "bottom") + (" right" if x > 0 else " left") == corner


def test_facing_nodes_are_joined_at_the_middle_of_the_smaller():
    small = above(A, Op("o"), gap=0.4, shift=0.3)
    assert way(Arrow("a", "o"), diagram(A, small)) == [
        (0.3, 0.2),
        (0.3, pytest.approx(0.6)),
    ]
    assert way(Arrow("a", "b"), diagram(A, B)) == [(0.5, 0), (pytest.approx(1.2), 0)]


@pytest.mark.parametrize(
    ("start", "end", "bend", "corners"),
    [
        ("a.right", "c.bottom", None, [(2.0, 0.0)]),
        ("a.top", "c.left", None, [(0.0, 1.0)]),
        ("a.right", "c.left", None, [(1.0, 0.0), (1.0, 1.0)]),
        ("a.top", "c.bottom", 0.4, [(0.0, 0.4), (2.0, 0.4)]),
        ("a.left", "c.left", None, [(-0.8, 0.0), (-0.8, 1.0)]),
        ("a.top", "c.left", 0.9, [(0.0, 0.37), (0.9, 0.37), (0.9, 1.0)]),
        ("a.right", "c.bottom", 0.9, [(0.9, 0.0), (0.9, 0.63), (2.0, 0.63)]),
    ],
)
def test_sides_say_how_an_arrow_turns(start, end, bend, corners):
    c = Box("c", "third", at=(2.0, 1.0), wide=1.0, high=0.4)
    points = way(Arrow(start, end, bend=bend), diagram(A, c))
    np.testing.assert_allclose(points[1:-1], corners)


def test_shares_of_a_side_move_the_end():
    points = way(Arrow("a.right:0.25", "b"), diagram(A, B))
    assert points == [
        (0.5, pytest.approx(-0.1)),
        (pytest.approx(1.2), pytest.approx(-0.1)),
    ]


# --- steps


STEPS = (
    Step("One", "a > b", "$b = f(a)$", "From the first to the second."),
    Step("Two", "b > t", "", "And on.", mark={"t": (1, None)}),
)
T = right_of(B, Tensor("t", np.array([0.25, -0.5]), label="$t$", shape="(2)"))
PATH = diagram(A, B, T, Arrow("a", "b"), Arrow("b", "t"), steps=STEPS)


def test_a_path_lights_its_nodes_and_the_arrows_between_them():
    assert PATH.lit(1) == {"a", "b", "a>b"}
    assert diagram(A, B, T, steps=(Step("All", "*"),)).lit(1) == {"a", "b", "t"}
    assert diagram(A, B, T, steps=(Step("Two", "a, t"),)).lit(1) == {"a", "t"}
    assert PATH.lit(None) == {"a", "b", "t", "a>b", "b>t"}


def test_numbers_appear_with_the_step_that_lights_them_and_stay():
    def numbers(step):
        fig, _ = draw(PATH, step)
        return {text.get_text() for text in fig.axes[0].texts} & {"0.25", "−0.50"}

    assert numbers(1) == set()
    assert numbers(2) == numbers(None) == {"0.25", "−0.50"}


def test_a_step_shows_its_equation_and_is_described_in_words():
    fig, description = draw(PATH, 1)
    assert "$b = f(a)$" in {text.get_text() for text in fig.axes[0].texts}
    assert description == "a test, step 1 of 2, One: From the first to the second."
    fig, description = panels(PATH)
    assert len(fig.axes) == 2
    assert description == PATH.describes


def test_only_what_is_lit_has_its_colour():
    blue = to_rgb(COLOURS["state"])
    state = replace(B, role="state")
    steps = (Step("Dark", "a"), Step("Lit", "b"))
    for step, expected in ((1, False), (2, True), (None, True)):
        fig, _ = draw(diagram(A, state, steps=steps), step)
        edges = [patch.get_edgecolor()[:3] for patch in fig.axes[0].patches]
        assert (blue in edges) == expected


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: diagram(A, A), "same name"),
        (lambda: diagram(A, B, steps=(Step("No", "a > b"),)), "no part"),
        (lambda: diagram(A, steps=(Step("No", "a", mark={"t": (0, 0)}),)), "no part"),
        (lambda: panels(diagram(A)), "has no steps"),
        (lambda: PATH.lit(3), "steps 1 to 2"),
        (lambda: way(Arrow("a", "z"), diagram(A)), "'z', which is no node"),
        (lambda: draw(diagram(Box("x", "x", role="mauve"))), "no role 'mauve'"),
    ],
)
def test_mistakes_of_an_author_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# --- letters


def test_text_is_wrapped_to_a_width_and_formulas_stay_whole():
    text = wrap("many words and $a + b + c$ and many words more", 12, 1.5)
    assert all(measure(line, 12)[0] <= 1.5 for line in text.split("\n"))
    assert any("$a + b + c$" in line for line in text.split("\n"))
    assert plain(r"the state $\tilde c_t$") == "the state ~c_t"


# --- the check


GOOD = diagram(A, B, Arrow("a", "b"))
CLOSE = right_of(B, Box("near", "near"), gap=-0.2)
BETWEEN = Box("c", "c", at=(0.85, 0.0), wide=0.2, high=0.2)
NARROW = Tensor("t", np.array([-0.123]), at=(0.0, 1.0), cell=(0.3, 0.3))
LABEL = Tensor(
    "t", np.array([0.1]), at=(-0.1, 0.62), label="a long caption", side="right"
)


def test_a_good_diagram_has_no_problems():
    assert problems(GOOD) == problems(PATH) == []


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((A, B, CLOSE), "b and near overlap"),
        ((A, B, BETWEEN, Arrow("a", "b")), "a>b runs through c"),
        ((A, B, Arrow("a", (0.8, 0.0))), "on no border"),
        ((A, B, Arrow("a.left", "b")), "a>b runs through a"),
        ((NARROW,), "does not fit into t"),
        ((Box("a", "far too much text", wide=0.5, high=0.3),), "does not fit into a"),
        (
            (A, LABEL, above(A, Op("o"), gap=0.5, shift=0.3), Arrow("a", "o")),
            "a>o runs",
        ),
        (
            (A, above(A, Op("o"), 0.3, 0.1), Arrow("a.top:0.5", "o.bottom:0.45")),
            "short",
        ),
        ((A, frame("f", [A], "name", pad=0.02), B), "overlap"),
        ((A, B, frame("f", [A], pad=(0.1, 0.1, 1.0, 0.1))), "borders of"),
        (tuple(row([Box(str(n), "a wide box") for n in range(12)])), "inches wide"),
        ((Op("o", "tanh"),), "does not fit into o"),
    ],
)
def test_the_check_finds_what_an_eye_would(parts, expected):
    found = problems(diagram(*parts))
    assert any(expected in line for line in found), found


def test_the_check_finds_crossings_but_allows_a_common_start():
    corners = {"a": (0, 0), "b": (2, 0), "c": (0, 2), "d": (2, 2)}
    nodes = [Op(name, "×", at=place) for name, place in corners.items()]
    cross = [Arrow("a", "d", straight=True), Arrow("b", "c", straight=True)]
    assert problems(diagram(*nodes, *cross)) == ["a>d and b>c cross"]
    fork = [Arrow("a.right", "d.bottom", via=((1, 0), (1, 1), (2, 1))), Arrow("a", "b")]
    assert problems(diagram(*nodes, *fork)) == []


def test_the_example_of_the_documentation_runs_and_is_well_drawn(monkeypatch):
    """Every call that the package explains, as it stands there."""
    shown = []
    monkeypatch.setattr(
        "course_lib.show.plots.display", lambda *a, **k: shown.append(a)
    )
    _, code = package.__doc__.split("as data.\n\n", 1)
    code = textwrap.dedent(code.split("\n\nNodes:")[0])
    names = {name: getattr(package, name) for name in package.__all__}
    names |= {"np": np, "show": show}
    exec(code, names)
    assert len(shown) == 3
    assert problems(names["diagram"]) == []
