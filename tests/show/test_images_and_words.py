"""Pictures of lecture 14b: what is drawn is what was computed."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib.show import images_and_words as pictures
from course_lib.show.plots import unlabelled

rng = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_patches_are_numbered_and_written_as_rows():
    image = np.arange(36).reshape(6, 6) / 36
    fig, alt = pictures.draw_patches(image, p=2)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert [t.get_text() for t in fig.axes[1].texts] == [str(n) for n in range(9)]
    rows = np.asarray(fig.axes[2].images[0].get_array())
    assert np.allclose(rows[1], [image[0, 2], image[0, 3], image[1, 2], image[1, 3]])
    assert "9 numbered patches of 2 by 2" in alt


def test_the_map_of_a_place_stands_at_that_place():
    table = rng.uniform(-1, 1, (16, 16))
    fig, _ = pictures.draw_similar_places({"one": table}, "sixteen maps of places")
    big = np.asarray(fig.axes[0].images[0].get_array().filled(np.nan))
    assert np.allclose(big[5:9, 10:14], table[6].reshape(4, 4))  # row 1, column 2
    assert fig.axes[0].patches[6].get_xy() == (10 + 2 - 0.5, 5 + 1 - 0.5)


def test_coloured_pictures_stand_in_their_rows():
    rows = {"red ring": rng.random((3, 8, 8, 3)), "blue ring": rng.random((3, 8, 8, 3))}
    fig, _ = pictures.draw_colours(rows, "six coloured pictures in rows")
    drawn = [ax.images[0].get_array() for ax in fig.axes]
    assert np.allclose(drawn, np.concatenate(list(rows.values())))
    assert [fig.axes[0].get_ylabel(), fig.axes[3].get_ylabel()] == list(rows)


def test_gallery_draws_every_picture_and_the_line():
    rows = {"true": rng.random((5, 8, 8)), "drawn": rng.random((5, 8, 8))}
    fig, alt = pictures.draw_gallery(rows, "ten small pictures", given=4)
    drawn = [ax.images[0].get_array() for ax in fig.axes]
    assert np.allclose(drawn, np.concatenate(list(rows.values())))
    assert [fig.axes[0].get_ylabel(), fig.axes[5].get_ylabel()] == ["true", "drawn"]
    assert fig.axes[0].lines[0].get_ydata()[0] == 3.5
    assert alt == "ten small pictures"


def test_words_stand_over_what_they_read():
    picture, maps = rng.random((3, 24, 24)), rng.random((2, 4, 4))
    fig, _ = pictures.draw_words(picture, ["red", "ring"], maps, "a red ring")
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["picture", "red", "ring"]
    assert np.allclose(fig.axes[0].images[0].get_array(), picture.transpose(1, 2, 0))
    for ax, weight in zip(fig.axes[1:], maps, strict=True):
        over = ax.images[1]
        assert np.allclose(over.get_array(), weight)
        assert over.get_extent() == [-0.5, 23.5, 23.5, -0.5]
