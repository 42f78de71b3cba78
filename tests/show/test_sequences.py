"""The pictures of lecture 01."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from lectures import LECTURES
from stopwatch import assert_quick

from course_lib.data import balls
from course_lib.show import sequences
from course_lib.show.plots import BLUE, GREEN, PURPLE, YELLOW, png, unlabelled
from course_lib.show.timeline import MILESTONES, draw_timeline


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture
def game():
    """Seven balls, four frames and the answer; the guesses are off by (0.03, 0.04)."""
    paths = balls.load(7, 5, seed=3)
    guesses = np.repeat(paths[:, -1:], 4, axis=1) + [0.03, 0.04]
    return paths, guesses


def points(ax):
    """Places and colours of everything drawn as a single point."""
    lines = [line for line in ax.lines if len(line.get_xdata()) == 1]
    return [(line.get_xydata()[0], line.get_color()) for line in lines]


def text(fig):
    fig.canvas.draw()
    return " ".join(t.get_text() for ax in fig.axes for t in ax.findobj(plt.Text))


@pytest.mark.parametrize(
    ("hour", "place"),
    [(12, (0.5, 0.6)), (3, (0.6, 0.5)), (6, (0.5, 0.4)), (9, (0.4, 0.5))],
)
def test_the_clock_hangs_on_the_wall(hour, place):
    assert np.allclose(sequences.clock_point(np.array([0.5, 0.5]), hour), place)


def test_a_guess_is_one_step_long_and_reflected():
    start = np.array([0.5, 0.5])
    for hour in range(1, 13):
        step = np.linalg.norm(sequences.clock_point(start, hour) - start)
        assert step == pytest.approx(sequences.STEP)
    assert np.allclose(sequences.clock_point(np.array([0.95, 0.5]), 3), [0.95, 0.5])


@pytest.mark.parametrize("hour", [-1, 13])
def test_there_are_twelve_hours(hour):
    with pytest.raises(ValueError, match=str(hour)):
        sequences.clock_point(np.array([0.5, 0.5]), hour)


def test_the_choice_offers_no_guess_first_then_every_hour():
    assert [value for _, value in sequences.HOURS] == list(range(13))
    assert sequences.HOURS[0][1] == sequences.NO_GUESS


@pytest.mark.parametrize("frames", [1, 2, 4])
def test_before_the_guess_nothing_is_given_away(game, frames):
    paths, guesses = game
    fig, alt = sequences.draw_ball_guess(paths, guesses, 2, frames, sequences.NO_GUESS)
    drawn = points(fig.axes[0])
    assert len(drawn) == frames
    for place, _ in drawn:
        assert not np.allclose(place, paths[1, -1])
    assert "hidden" in alt
    assert not any(character.isdigit() for character in alt.split("seen")[1])


def test_the_last_frames_are_the_ones_seen(game):
    paths, guesses = game
    fig, _ = sequences.draw_ball_guess(paths, guesses, 5, 3, 0)
    places = [place for place, _ in points(fig.axes[0])]
    assert np.allclose(places, paths[4, 3:0:-1])  # newest first


def test_after_the_guess_truth_and_both_guesses_are_drawn(game):
    paths, guesses = game
    fig, alt = sequences.draw_ball_guess(paths, guesses, 6, 2, 4)
    by_colour = {colour: place for place, colour in points(fig.axes[0])}
    mine = sequences.clock_point(paths[5, 3], 4)
    assert np.allclose(by_colour[GREEN], paths[5, 4])
    assert np.allclose(by_colour[PURPLE], guesses[5, 1])
    assert np.allclose(by_colour[YELLOW], mine)
    widths = [bar.get_width() for bar in fig.axes[1].patches]
    assert widths == pytest.approx([np.linalg.norm(mine - paths[5, 4]), 0.05])
    assert "network 0.05" in alt


@pytest.mark.parametrize(("ball", "frames"), [(0, 1), (8, 1), (1, 0), (1, 5)])
def test_balls_and_frames_count_from_one(game, ball, frames):
    with pytest.raises(ValueError, match=f"ball {ball} of 7 and {frames} frames of 4"):
        sequences.draw_ball_guess(*game, ball, frames, 0)


def test_the_game_redraws_within_half_a_second(game):
    assert_quick(lambda: sequences.draw_ball_guess(*game, 2, 3, 7))


def test_axes_are_labelled(game):
    fig, _ = sequences.draw_ball_guess(*game, 1, 2, 5)
    fig.canvas.draw()
    assert unlabelled(fig) == []


def test_tracking_draws_each_box_in_each_frame():
    rng = np.random.default_rng(0)
    low = rng.random((3, 2)) / 2
    truth = np.concatenate([low, low + 0.25], axis=1)
    boxes = {"truth": (truth, GREEN), "network": (truth + 0.1, PURPLE)}
    hidden = np.array([False, True, False])
    fig, alt = sequences.draw_tracking(rng.random((3, 7, 7)), hidden, boxes)
    for t, ax in enumerate(fig.axes):
        first, second = ax.patches
        assert first.get_xy() == pytest.approx(tuple(low[t]))
        assert first.get_width() == pytest.approx(0.25)
        assert second.get_xy() == pytest.approx(tuple(low[t] + 0.1))
    titles = [ax.get_title() or ax.get_title(loc="center") for ax in fig.axes]
    assert titles == ["1", "covered", "3"]
    assert alt == "3 frames, 1 of them covered, each with the boxes of: truth, network."


def test_tracking_wants_four_edges_per_picture():
    boxes = {"truth": (np.zeros((2, 4)), GREEN)}
    with pytest.raises(ValueError, match=r"'truth' have shape \(2, 4\).*\(3, 4\)"):
        sequences.draw_tracking(np.zeros((3, 7, 7)), np.zeros(3, bool), boxes)


def test_the_timeline_goes_forwards_and_names_lectures_that_exist():
    years = [item.year for item in MILESTONES]
    assert years == sorted(years)
    assert years[0] == 1990
    lectures = {path.stem.split("_")[0]: path for path in LECTURES}
    for item in MILESTONES:
        who = item.name.replace(",", "").split()[0]
        assert who in lectures[item.lecture].read_text("utf8"), item.name
    papers = [item.paper for item in MILESTONES if item.paper]
    assert papers == sorted(papers)
    for item in MILESTONES:
        if item.paper:  # the arXiv numbers papers by year and month
            assert item.year == 2000 + int(item.paper[:2])


def test_the_timeline_has_a_row_for_each_step():
    fig, alt = draw_timeline()
    rows = text(fig)
    for item in MILESTONES:
        assert item.name in rows
        assert f"{item.year} {item.name}, {item.idea}" in alt


def test_pictures_can_be_stored(game):
    fig, _ = sequences.draw_ball_guess(*game, 1, 1, 0)
    assert png(fig).startswith(b"\x89PNG")


def test_band_runs_from_worst_to_best():
    runs = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 7.0]])
    _, ax = plt.subplots()
    sequences.band(ax, [1, 2, 3], runs, GREEN, "two runs")
    assert np.allclose(ax.lines[0].get_ydata(), [2, 2, 5])
    edge = ax.collections[0].get_paths()[0].vertices
    assert edge[:, 1].min() == 1
    assert edge[:, 1].max() == 7


def test_kinds_show_every_series():
    film = balls.render(balls.load(1, 9, seed=2)[0], pixels=7)
    notes = [(0.0, 2.0, 60), (2.0, 1.0, 67)]
    rate = np.arange(5.0), np.linspace(3, 5, 5)
    sea = np.arange(7.0), np.linspace(-1, 1, 7)
    field = np.arange(19 * 23).reshape(19, 23) / 400
    fig, _ = sequences.draw_kinds("To be", notes, rate, sea, film, field)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    letters, tune, money, water, top, wave = fig.axes
    assert [t.get_text() for t in letters.texts] == ["T", "o", "␣", "b", "e"]
    assert [line.get_ydata()[0] for line in tune.lines] == [60, 67]
    assert np.allclose(money.lines[0].get_ydata(), rate[1])
    assert np.allclose(water.lines[0].get_ydata(), sea[1])
    strip = top.images[0].get_array()
    assert strip.shape == (9, 3 * 9)  # frames 1, 5 and 9 with a rim
    assert np.allclose(strip[1:8, 10:17], film[4])
    assert np.allclose(wave.images[0].get_array(), field)


def test_lengths_are_counted():
    lengths = np.array([[1, 3], [1, 3], [2, 2], [5, 4], [3, 3]])
    fig, alt = sequences.draw_lengths(lengths)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    ax = fig.axes[0]
    drawn = {t.get_position(): t.get_text() for t in ax.texts}
    assert drawn == {(1, 3): "2", (2, 2): "1", (3, 3): "1", (5, 4): "1"}
    assert len(ax.patches) == 4  # equal lengths, as far as both sides go
    assert "for 5 number names" in alt
    assert "2 have more words in French, 1 fewer" in alt


def test_curves_show_runs_and_rules():
    runs = {"window": np.ones((2, 3)), "state": np.array([[1, 2, 3], [3, 2, 1.0]])}
    lines = {"rule": np.zeros(3)}
    alt = "Errors of a window, a state and a rule."
    fig, said = sequences.draw_curves([1, 2, 3], runs, lines, ("x", "y"), alt)
    assert said == alt
    names = {line.get_label(): line for line in fig.axes[0].lines}
    assert set(names) == {"window", "state", "rule"}
    assert names["state"].get_color() == BLUE
    assert np.allclose(names["state"].get_ydata(), 2)


@pytest.mark.parametrize(("models", "rules"), [(0, 1), (4, 0), (1, 5)])
def test_curves_have_a_colour_for_each(models, rules):
    runs = {str(k): np.ones((1, 2)) for k in range(models)}
    lines = {str(k): np.ones(2) for k in range(rules)}
    with pytest.raises(ValueError, match=f"{models} models and {rules} rules"):
        sequences.draw_curves([1, 2], runs, lines, ("x", "y"), "")


def test_context_starts_from_none():
    fig, _ = sequences.draw_context({"a": [0.5, 1.0], "b": [0.1, 0.2, 0.3]}, "words")
    first, second = fig.axes[0].lines
    assert np.allclose(first.get_xdata(), [0, 1])
    assert np.allclose(second.get_ydata(), [0.1, 0.2, 0.3])


def test_histories_show_one_two_and_three_frames():
    path = np.array([[0.2, 0.5], [0.3, 0.5], [0.4, 0.5], [0.5, 0.5]])
    fig, _ = sequences.draw_histories(path[:3], path[3])
    drawn = [points(ax) for ax in fig.axes]
    assert [len(each) for each in drawn] == [1, 2, 4]  # the last shows where it went
    assert np.allclose(drawn[2][-1][0], path[3])
    assert [len(ax.patches) for ax in fig.axes] == [1, 0, 0]  # the circle of one step
