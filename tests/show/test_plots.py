"""Figures, diagrams and the map."""

import io

import numpy as np
import pytest
from matplotlib import pyplot as plt
from PIL import Image

from course_lib.show import plots


@pytest.fixture
def shown(monkeypatch):
    """What `show` displays."""
    kept = []
    monkeypatch.setattr(plots, "display", lambda data, **kw: kept.append((data, kw)))
    return kept


def test_show_stores_picture_and_description(shown):
    fig, ax = plots.figure()
    ax.plot([1, 2])
    ax.set(xlabel="time", ylabel="loss")
    plots.show(fig, "A line that rises from one to two.")
    ((data, options),) = shown
    assert data["text/plain"] == "Figure: A line that rises from one to two."
    assert (
        options["metadata"]["image/png"]["alt"] == "A line that rises from one to two."
    )
    assert not plt.get_fignums()


def test_pictures_are_small_and_look_the_same():
    fig, ax = plots.figure()
    for n, colour in enumerate(plots.PALETTE):
        ax.plot([0, 1], [0, n], color=colour)
    plain = io.BytesIO()
    fig.savefig(plain, format="png", facecolor="white")
    small = plots.png(fig)
    assert len(small) < 0.6 * len(plain.getvalue())
    pixels = [
        np.asarray(Image.open(io.BytesIO(b)).convert("RGB"), int)
        for b in (small, plain.getvalue())
    ]
    difference = np.abs(pixels[0] - pixels[1])
    assert difference.mean() < 0.1
    assert np.quantile(difference, 0.999) < 24
    assert difference.max() < 20
    plt.close("all")


def test_a_rare_colour_keeps_its_hue():
    """One red cell among blue ones, beside a full scale of colours."""
    fig, (left, right) = plots.figure(columns=2)
    fig.set_layout_engine("none")  # or the second drawing may lie a pixel aside
    cells = -np.abs(np.random.default_rng(0).normal(size=(40, 40)))
    cells[36, 36], cells[35, 36] = 2.2, 3.5
    plots.heat_map(left, cells)
    plots.heat_map(right, np.linspace(-3.5, 3.5, 200)[:, None])
    plain = io.BytesIO()
    fig.savefig(plain, format="png", facecolor="white")
    before, after = (
        np.asarray(Image.open(io.BytesIO(b)).convert("RGB"), int)
        for b in (plain.getvalue(), plots.png(fig))
    )
    assert np.abs(before - after).max() < 20
    plt.close("all")


def test_show_refuses_unlabelled_axes(shown):
    fig, ax = plots.figure()
    ax.plot([1, 2])
    ax.set(xlabel="time")
    with pytest.raises(ValueError, match="axes 0: y"):
        plots.show(fig, "A line that rises from one to two.")
    assert not shown


def test_show_accepts_axes_without_ticks(shown):
    fig, ax = plots.figure()
    ax.set_axis_off()
    plots.show(fig, "A drawing without any axes at all.")
    assert len(shown) == 1


def test_show_refuses_a_figure_without_description(shown):
    fig, _ = plots.figure()
    with pytest.raises(ValueError, match="too short"):
        plots.show(fig, "a plot")


def test_heat_map_is_white_at_zero_and_writes_values():
    _, ax = plots.figure()
    image = plots.heat_map(ax, np.array([[0.0, -2.0], [1.0, 0.5]]), values=True)
    assert image.get_clim() == (-2.0, 2.0)
    assert [t.get_text() for t in ax.texts] == ["0.00", "-2.00", "1.00", "0.50"]
    plt.close("all")


def test_every_seed_is_a_point_of_its_row_and_none_hides_another():
    _, ax = plots.figure()
    plots.seed_rows(ax, {"one": [0.5, 0.5, 0.5], "two": [0.1, 0.2, 0.3]})
    one, two = ax.lines
    assert one.get_xdata().tolist() == [0.5, 0.5, 0.5]
    assert len(set(one.get_ydata())) == 3
    assert two.get_ydata().round().tolist() == [1, 1, 1]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["one", "two"]
    plt.close("all")
