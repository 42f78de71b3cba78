"""How long a redraw takes, on a machine that may be busy with other tests."""

import time
from collections.abc import Callable

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from course_lib.show.plots import png

HALF_A_SECOND = 0.5
# A plain figure with four plots takes about this long on a quiet machine.
PLAIN_SECONDS = 0.25


def plain_figure() -> tuple[Figure, str]:
    fig, axes = plt.subplots(2, 2, layout="constrained")
    for ax in axes.flat:
        ax.plot(range(50))
        ax.set(xlabel="x", ylabel="y", title="plain")
    return fig, "four straight lines"


def seconds(draw: Callable[[], tuple[Figure, str]]) -> float:
    """Processor time until the picture could be sent to the browser."""
    began = time.process_time()
    fig, _ = draw()
    png(fig)
    taken = time.process_time() - began
    plt.close(fig)
    return taken


def assert_quick(draw: Callable[[], tuple[Figure, str]], times: int = 4) -> None:
    """A step of a slider takes less than half a second.

    A core shared with other work also counts slower seconds of its own, so a plain
    figure is timed beside it: where that takes longer than usual, so may the step.
    """
    taken = [(seconds(draw), seconds(plain_figure)) for _ in range(times)]
    step, plain = map(min, zip(*taken[1:], strict=True))  # the first loads the fonts
    limit = HALF_A_SECOND * max(1.0, plain / PLAIN_SECONDS)
    assert step < limit, f"{step:.2f} s, a plain figure {plain:.2f} s"
