r"""Three designs for a sequence, and the five shapes of sequence task.

Inputs stand below, states in the middle, outputs above. Where a network writes, each
output is fed back: it is what the next step reads.
"""

from dataclasses import dataclass

from course_lib.show.diagram import Arrow, Box, Diagram, Step

PITCH, UP = 0.8, 0.78  # inches from a time step to the next, from a row to the next
WIDE, HIGH = 0.46, 0.36  # of a box
WORDS = 0.62  # from the outputs up to the name


@dataclass(frozen=True)
class Shape:
    """How many steps go in, how many come out, and whether they share their steps.

    feeds  outputs are fed back into the next step
    plain  no state: a plain network does it
    """

    key: str
    name: str
    example: str
    inputs: int
    outputs: int
    says: str
    aligned: bool = True
    feeds: bool = False
    plain: bool = False

    @property
    def states(self) -> int:
        """An unaligned task reads everything first and writes afterwards."""
        both = (self.inputs, self.outputs)
        return max(both) if self.aligned else sum(both)

    @property
    def first_output(self) -> int:
        """The step, from 0, at which the first output stands."""
        return self.states - self.outputs


SHAPES = (
    Shape(
        "one",
        "one to one",
        "will I pass this class?",
        1,
        1,
        "A few numbers in, one answer out. No sequence at all: a plain network f.",
        plain=True,
    ),
    Shape(
        "last",
        "many to one",
        "is this review kind?",
        3,
        1,
        "Read everything, answer once. The last state is the only one that has seen "
        "every input.",
    ),
    Shape(
        "write",
        "one to many",
        "a picture gets a caption",
        1,
        3,
        "One vector starts the state. From then on the network reads what it has "
        "written: each output is fed back into the next step.",
        feeds=True,
    ),
    Shape(
        "each",
        "many to many, aligned",
        "a label for every frame",
        3,
        3,
        "An answer at every step, from what has been read up to there.",
    ),
    Shape(
        "after",
        "many to many, unaligned",
        "English to French",
        3,
        2,
        "Read the whole input first, then write an output of another length, again "
        "with feedback.",
        aligned=False,
        feeds=True,
    ),
)
PLACES = {
    "one": (0.5, 3.1),
    "last": (2.75, 3.1),
    "write": (6.35, 3.1),
    "each": (0.5, 0.0),
    "after": (4.3, 0.0),
}


def task_shapes() -> Diagram:
    """All five in one picture; each is a step of its own."""
    parts = [part for shape in SHAPES for part in _parts(shape, PLACES[shape.key])]
    steps = tuple(
        Step(shape.name, ", ".join(_paths(shape)), "", shape.says) for shape in SHAPES
    )
    told = "; ".join(f"{s.name}: {s.inputs} in, {s.outputs} out" for s in SHAPES)
    return Diagram(
        "task shapes",
        tuple(parts),
        steps=steps,
        describes="Five shapes of task, drawn as inputs, states and outputs. "
        f"{told}. Where the network writes, each output is fed back into the next "
        "step.",
        beside=False,
    )


def _parts(shape: Shape, corner: tuple[float, float]) -> list:
    """The boxes and arrows of one task; `corner` is its first state."""
    x0, y0 = corner
    nodes = [*_title(shape, corner)]
    for n in range(shape.states):
        x, letter = x0 + PITCH * n, "f" if shape.plain else f"h_{n + 1}"
        role = "parameter" if shape.plain else "state"
        nodes.append(_box(f"{shape.key}_h{n}", letter, role, (x, y0)))
        if n < shape.inputs:
            nodes.append(_box(f"{shape.key}_x{n}", f"x_{n + 1}", "input", (x, y0 - UP)))
        if n >= shape.first_output:
            letter = f"y_{n - shape.first_output + 1}"
            nodes.append(_box(f"{shape.key}_y{n}", letter, "output", (x, y0 + UP)))
    return [*nodes, *_arrows(shape, corner)]


def _box(name: str, letter: str, role: str, at: tuple[float, float]) -> Box:
    return Box(name, f"${letter}$", role=role, at=at, wide=WIDE, high=HIGH)


def _title(shape: Shape, corner: tuple[float, float]) -> list[Box]:
    """Name and example above the outputs, from the left edge of the first box."""
    x, y = corner[0] - WIDE / 2, corner[1] + UP + WORDS
    name = Box(f"{shape.key}_name", shape.name, role="bare")
    example = Box(f"{shape.key}_example", f"“{shape.example}”", role="bare")
    return [
        Box(name.name, name.text, role="bare", at=(x + name.size[0] / 2, y)),
        Box(
            example.name,
            example.text,
            role="bare",
            at=(x + example.size[0] / 2, y - 0.25),
        ),
    ]


def _arrows(shape: Shape, corner: tuple[float, float]) -> list[Arrow]:
    key, found = shape.key, []
    for n in range(shape.states):
        if n:
            found.append(Arrow(f"{key}_h{n - 1}", f"{key}_h{n}", role="state"))
        if n < shape.inputs:
            found.append(Arrow(f"{key}_x{n}", f"{key}_h{n}", role="input"))
        if n >= shape.first_output:
            found.append(Arrow(f"{key}_h{n}", f"{key}_y{n}", role="output"))
        if shape.feeds and shape.first_output < n:
            found.append(_feedback(key, n, corner))
    return found


def _feedback(key: str, n: int, corner: tuple[float, float]) -> Arrow:
    """From output n - 1, down between the columns, into the next state."""
    x, level = corner[0] + PITCH * (n - 0.5), corner[1] + UP / 2
    entry = corner[0] + PITCH * n - 0.3 * WIDE
    corners = ((x, corner[1] + UP), (x, level), (entry, level))
    start, end = f"{key}_y{n - 1}.right", f"{key}_h{n}.top:0.2"
    return Arrow(start, end, role="output", via=corners)


def _paths(shape: Shape) -> list[str]:
    """What is lit in the shape's own step."""
    key = shape.key
    lit = [f"{key}_name", f"{key}_example"]
    for n in range(shape.states):
        if n:
            lit.append(f"{key}_h{n - 1} > {key}_h{n}")
        if n < shape.inputs:
            lit.append(f"{key}_x{n} > {key}_h{n}")
        if n >= shape.first_output:
            lit.append(f"{key}_h{n} > {key}_y{n}")
        if shape.feeds and shape.first_output < n:
            lit.append(f"{key}_y{n - 1} > {key}_h{n}")
    return lit
