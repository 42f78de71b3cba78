"""Bouncing balls: exact flight, reflection, the statistics promised, pictures."""

import hashlib

import numpy as np
import pytest

from course_lib.data import balls


def step_by_step(start, velocity, frames):
    """The flight simulated one frame at a time, walls as an `if`."""
    place, speed, path = start.copy(), velocity.copy(), []
    for _ in range(frames):
        path.append(place.copy())
        place = place + speed
        for index in np.ndindex(place.shape):
            if place[index] > 1:
                place[index], speed[index] = 2 - place[index], -speed[index]
            elif place[index] < 0:
                place[index], speed[index] = -place[index], -speed[index]
    return np.stack(path, axis=1)


def test_fold_is_a_mirror_at_both_walls():
    seen = balls.fold(np.array([0.3, 1.2, -0.1, 2.3, 1.0, 0.0, -1.75, 3.5]))
    assert np.allclose(seen, [0.3, 0.8, 0.1, 0.3, 1.0, 0.0, 0.25, 0.5], atol=1e-15)


def test_flight_equals_a_step_by_step_simulation():
    start, velocity = balls.launch(53, np.random.default_rng(5))
    path = balls.fly(start, velocity, 47)
    assert path.shape == (53, 47, 2)
    assert np.abs(path - step_by_step(start, velocity, 47)).max() < 1e-12
    bounced = np.abs(np.diff(path, n=2, axis=1)).max(axis=(1, 2)) > 1e-9
    assert bounced.sum() > 40  # most balls met a wall, so reflection was tested


def test_fast_balls_may_cross_the_whole_box():
    start, velocity = np.array([[0.4, 0.5]]), np.array([[0.9, -1.0]])
    path = balls.fly(start, velocity, 4)
    assert np.abs(path - step_by_step(start, velocity, 4)).max() < 1e-12


def test_balls_stay_in_the_box():
    path = balls.load(101, 307, seed=3)
    assert path.min() >= 0
    assert path.max() <= 1


def test_velocities_fill_the_ring_evenly():
    low, high = balls.SPEED
    _, velocity = balls.launch(100_003, np.random.default_rng(0))
    square = (velocity**2).sum(axis=1)
    assert low**2 <= square.min()
    assert square.max() <= high**2
    assert square.mean() == pytest.approx((low**2 + high**2) / 2, rel=0.01)
    assert np.abs(velocity.mean(axis=0)).max() < 1e-3  # no direction is preferred
    inner = (square < (low**2 + high**2) / 2).mean()  # half of the ring's area
    assert inner == pytest.approx(0.5, abs=0.01)


def test_root_mean_square_speed_is_one_tenth():
    low, high = balls.SPEED
    assert ((low**2 + high**2) / 2) ** 0.5 == pytest.approx(0.1, abs=1e-12)


def test_one_seed_always_gives_the_same_bytes():
    path = balls.load(11, 13, seed=17)
    assert path.tobytes() == balls.load(11, 13, seed=17).tobytes()
    assert not np.array_equal(path, balls.load(11, 13, seed=18))
    # only exactly rounded operations are used, so this holds on every processor
    digest = hashlib.sha256(path.tobytes()).hexdigest()
    assert digest[:16] == "2d557885fadea2bb"


def test_load_is_launch_then_fly():
    start, velocity = balls.launch(7, np.random.default_rng(19), (0.1, 0.2))
    path = balls.load(7, 5, seed=19, speed=(0.1, 0.2))
    assert np.array_equal(path, balls.fly(start, velocity, 5))


def test_empty_requests_give_empty_arrays():
    assert balls.load(0, 3).shape == (0, 3, 2)
    assert balls.load(3, 0).shape == (3, 0, 2)


def test_picture_shows_the_ball_where_it_is():
    pictures = balls.render(np.array([[0.25, 0.75], [0.9, 0.1]]), pixels=17, radius=0.1)
    assert pictures.shape == (2, 17, 17)
    assert pictures.min() == 0
    assert pictures.max() == 1
    centres = (np.arange(17) + 0.5) / 17
    for picture, (x, y) in zip(pictures, [(0.25, 0.75), (0.9, 0.1)], strict=True):
        total = picture.sum()
        assert picture.sum(axis=0) @ centres / total == pytest.approx(x, abs=0.01)
        assert picture.sum(axis=1) @ centres / total == pytest.approx(y, abs=0.01)


def test_picture_has_the_area_of_the_ball():
    picture = balls.render(np.array([0.5, 0.5]), pixels=101, radius=0.2)
    assert picture.mean() == pytest.approx(np.pi * 0.2**2, rel=0.01)


def test_picture_keeps_leading_axes():
    assert balls.render(np.zeros((3, 5, 2)) + 0.5, pixels=7).shape == (3, 5, 7, 7)


@pytest.mark.parametrize("speed", [(0.2, 0.1), (-0.1, 0.1), (0.1, 1.5), (0.1, 0.1)])
def test_bad_speeds_are_quoted(speed):
    with pytest.raises(ValueError, match="low < high") as caught:
        balls.load(3, 5, speed=speed)
    assert str(speed) in str(caught.value)


@pytest.mark.usefixtures("unchecked")
def test_bad_shapes_and_numbers_are_quoted():
    with pytest.raises(ValueError, match=r"\(3, 2\).*\(5, 2\)"):
        balls.fly(np.zeros((3, 2)), np.zeros((5, 2)), 7)
    with pytest.raises(ValueError, match="-1"):
        balls.fly(np.zeros((3, 2)), np.zeros((3, 2)), -1)
    with pytest.raises(ValueError, match="0 and 0.1"):
        balls.render(np.zeros((1, 2)), pixels=0, radius=0.1)
