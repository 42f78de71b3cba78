"""Roles can be told apart, also with the common kinds of colour blindness."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from course_lib.show.diagram.roles import CELLS, COLOURS, tint
from course_lib.show.plots import INK, PALETTE

# Machado, Oliveira and Fernandes (2009), full severity, for linear RGB
SEEN_BY = {
    "most people": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
}
TO_XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
)
WHITE = np.array([0.9505, 1.0, 1.089])
APART = 12  # in CIELAB; a difference of about 2 can just be seen


def lab(colour: str, eye: np.ndarray) -> np.ndarray:
    """A colour as such an eye sees it: lightness and two axes of hue."""
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(eye @ linear, 0, 1) / WHITE
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one: str, other: str, eye: np.ndarray) -> float:
    return float(np.linalg.norm(lab(one, eye) - lab(other, eye)))


@pytest.mark.parametrize("eye", SEEN_BY.values(), ids=SEEN_BY.keys())
def test_roles_differ_for_every_eye(eye):
    roles = [role for role in COLOURS if role not in ("plain", "bare")]
    for one, other in combinations(roles, 2):
        assert distance(COLOURS[one], COLOURS[other], eye) > APART, (one, other)


def test_the_measure_knows_what_cannot_be_told_apart():
    """Pink and a middle teal: far apart for most people, the same without green."""
    pink, teal = COLOURS["output"], "#40B5AD"
    assert distance(pink, teal, SEEN_BY["most people"]) > 4 * APART
    assert distance(pink, teal, SEEN_BY["deuteranopia"]) < APART / 2


def luminance(colour: str) -> float:
    """Relative luminance, 0 to 1, as the web's rules for contrast define it."""
    return float(((lab(colour, np.eye(3))[0] + 16) / 116) ** 3)


@pytest.mark.parametrize("role", COLOURS)
def test_numbers_can_be_read_in_the_strongest_cell(role):
    """4.5 to 1 is what the web's rules ask of text."""
    cell = tint(COLOURS[role], CELLS[1])
    contrast = (luminance(cell) + 0.05) / (luminance(INK) + 0.05)
    assert contrast > 4.5 or role in ("plain", "bare")  # these cells are white


def test_the_palette_of_the_course_keeps_its_jobs():
    assert set(PALETTE) <= set(COLOURS.values())
