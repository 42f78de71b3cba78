"""The curves of B_silent_bugs."""

import numpy as np

from course_lib.show import silent_bugs


def test_every_program_has_its_curve_and_the_lowest_is_named():
    histories = {"A": np.linspace(4, 2, 43), "B": np.linspace(4, 0.5, 43)}
    fig, alt = silent_bugs.draw_curves(histories, guessing=4.3)
    (ax,) = fig.axes
    names = {text.get_text() for text in ax.texts}
    assert {"A", "B", "guessing"} <= names
    assert "lowest at the end is B" in alt
    ends = [line.get_ydata()[-1] for line in ax.lines[:2]]
    assert np.allclose(ends, [np.mean(h[-10:]) for h in histories.values()])


def test_a_curve_that_rises_is_not_said_to_fall_and_letters_stay_apart():
    histories = {name: np.linspace(4, 3 + 0.01 * i, 43) for i, name in enumerate("ABC")}
    histories["D"] = np.linspace(3, 4, 43)
    fig, alt = silent_bugs.draw_curves(histories, guessing=4.3)
    assert "at the beginning: A, B, C;" in alt
    (ax,) = fig.axes
    heights = sorted(t.get_position()[1] for t in ax.texts if t.get_text() in "ABCD")
    assert min(np.diff(heights)) >= silent_bugs.APART - 1e-9
