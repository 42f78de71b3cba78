"""Films of a moving square: labels fit the pictures, covered frames are black."""

import numpy as np
import pytest

from course_lib.data import films


@pytest.fixture(scope="module")
def made():
    return films.load(37, seed=3, first=2, frames=13, pixels=11)


def test_shapes(made):
    assert made.pictures.shape == (37, 13, 121)
    assert made.labels.shape == (37, 13, 5)
    assert made.covered.shape == (37, 13)


def test_four_frames_in_a_row_are_covered_and_black(made):
    for film, hidden in zip(made.pictures, made.covered, strict=True):
        assert hidden.sum() == 4
        first = hidden.argmax()
        assert first >= 2
        assert hidden[first : first + 4].all()
        assert (film[hidden] == 0).all()
        assert (film[~hidden].max(axis=1) > 0).all()


def test_a_picture_is_as_bright_as_its_box_is_large(made):
    left, bottom, right, top, kind = np.moveaxis(made.labels, 2, 0)
    light = films.DIM + (1 - films.DIM) * kind
    area = (right - left) * (top - bottom) * light
    seen = ~made.covered
    np.testing.assert_allclose(made.pictures.mean(axis=2)[seen], area[seen])


def test_the_light_stands_in_the_middle_of_the_box(made):
    pictures = made.pictures.reshape(37, 13, 11, 11)[~made.covered]
    middle = (np.arange(11) + 0.5) / 11
    weight = pictures.sum(axis=(1, 2))
    x = (pictures.sum(axis=1) * middle).sum(axis=1) / weight
    left, _, right, *_ = np.moveaxis(made.labels[~made.covered], 1, 0)
    assert np.abs(x - (left + right) / 2).max() < 0.02  # a fifth of a pixel
    assert made.labels[..., :4].min() >= 0
    assert made.labels[..., :4].max() <= 1


def test_seeds():
    same, other = films.load(5, seed=1), films.load(5, seed=2)
    np.testing.assert_array_equal(films.load(5, seed=1).pictures, same.pictures)
    assert not np.array_equal(same.pictures, other.pictures)


def test_covered_frames_have_to_fit():
    with pytest.raises(ValueError, match="4 covered frames do not fit between 13"):
        films.load(3, first=13)
