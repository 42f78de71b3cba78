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
