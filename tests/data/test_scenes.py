"""Scenes of shapes: the picture shows what the caption says, where it says."""

import numpy as np
import pytest

from course_lib.data import scenes
from course_lib.data.scenes import COLOURS, SHAPES, SIZE, VOCABULARY, Thing

MANY = scenes.load(seed=7, count=211)


def test_the_named_colours_are_in_the_picture_and_no_others():
    for image, things in zip(MANY.images.numpy(), MANY.things, strict=True):
        pixels = {tuple(p) for p in image.reshape(3, -1).T.round(3).tolist()}
        named = {tuple(np.float32(COLOURS[t.colour]).round(3).tolist()) for t in things}
        assert pixels == named | {(1.0, 1.0, 1.0)}


def test_the_centre_of_the_pixels_is_the_place_that_is_told():
    for image, things in zip(MANY.images.numpy(), MANY.things, strict=True):
        if len({t.colour for t in things}) < len(things):
            continue  # two of one colour cannot be told apart by colour
        for thing in things:
            colour = np.float32(COLOURS[thing.colour])[:, None, None]
            row, column = np.nonzero((abs(image - colour) < 1e-3).all(axis=0))
            # a triangle's weight lies below the middle of its height
            assert abs(column.mean() + 0.5 - thing.x) < 0.6
            assert -0.6 < row.mean() + 0.5 - thing.y < 2


def test_captions_say_what_there_is_and_how_it_stands():
    seen = set()
    for caption, things in zip(MANY.captions, MANY.things, strict=True):
        if len(things) == 1:
            assert caption == things[0].words
            continue
        first, second = things
        assert caption[:3] == first.words
        assert caption[-3:] == second.words
        relation = " ".join(caption[3:-3])
        seen.add(relation)
        dx, dy = second.x - first.x, second.y - first.y
        further, other = (dx, dy) if relation == "left of" else (dy, dx)
        assert further > 2 * scenes.RADIUS  # they do not touch
        assert abs(other) < further / 2  # no doubt which relation it is
    assert seen == set(scenes.RELATIONS)


def test_shapes_are_told_apart():
    pictures = [scenes.draw((Thing("red", s, 12.0, 12.0),)) for s in SHAPES]
    for i in range(3):
        for k in range(i):
            assert (pictures[i] != pictures[k]).any(axis=0).sum() >= 12


def test_nothing_is_cut_off():
    reach = scenes.RADIUS
    for things in MANY.things:
        for thing in things:
            assert reach <= min(thing.x, thing.y)
            assert max(thing.x, thing.y) <= SIZE - reach


def test_rows_are_the_captions_and_seeds_repeat():
    assert [VOCABULARY.decode(row) for row in MANY.rows] == list(MANY.captions)
    again, other = scenes.load(7, 211), scenes.load(8, 211)
    assert (again.images == MANY.images).all()
    assert again.captions == MANY.captions != other.captions
    assert MANY.images.shape == (211, 3, SIZE, SIZE)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="got 0"):
        scenes.load(count=0)
    with pytest.raises(ValueError, match="'star'"):
        scenes.draw((Thing("red", "star", 5.0, 5.0),))
