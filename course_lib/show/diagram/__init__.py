r"""One language for the diagrams of the course: a mechanism is written once, as data.

    x = Tensor("x", np.array([0.5, -1.0]), label="$x_t$", shape="$(d_x)$", role="input")
    gate = right_of(x, Box("gate", r"$\sigma$", role="weight"))
    f = right_of(gate, Tensor("f", np.array([0.9, 0.1]), label="$f_t$", role="weight"))
    diagram = Diagram(
        "a gate",
        (x, gate, f, Arrow("x", "gate"), Arrow("gate", "f")),
        describes="An input goes through a sigmoid and becomes a gate.",
        steps=(Step("Open", "x > gate > f", r"$f_t = \sigma(W x_t)$", "..."),),
    )
    show(*draw(diagram))           # the whole
    show(*draw(diagram, step=1))   # one step, its equation beside it
    show(*panels(diagram))         # all steps in one figure
    play(diagram)                  # a slider through the steps
    problems(diagram)              # [] if no label, box or arrow is in another's way

Nodes: `Box`, `Op` (a circle with a sign), `Tensor` (a coloured grid with its shape and
numbers), and, around others, `frame` and `brace`. Coordinates are inches, `at` is a
centre; `right_of`, `above`, `row`, `column` and their like return the node moved.
Arrows run level and upright, from border to border; `Arrow("a.top", "b.left")` names
sides. A role is a colour, the same in every lecture: `roles.COLOURS`. In a step only
the named paths are lit; a tensor shows its numbers from the step that first lights it.
"""

from course_lib.show.diagram.check import problems
from course_lib.show.diagram.draw import draw, panels, play
from course_lib.show.diagram.model import Arrow, Box, Op, Tensor
from course_lib.show.diagram.place import (
    above,
    below,
    brace,
    column,
    frame,
    left_of,
    right_of,
    row,
)
from course_lib.show.diagram.steps import Diagram, Step

__all__ = [
    "Arrow",
    "Box",
    "Diagram",
    "Op",
    "Step",
    "Tensor",
    "above",
    "below",
    "brace",
    "column",
    "draw",
    "frame",
    "left_of",
    "panels",
    "play",
    "problems",
    "right_of",
    "row",
]
