r"""Three ways to read a sequence: step by step without a memory, all at once, a state.

The first ignores what came before, the second has one length built in; the third has
neither fault.
"""

from course_lib.show.diagram import Arrow, Box, Diagram, Step

PITCH, UP = 0.8, 0.85  # inches from a time step to the next, from a row to the next
WIDE, HIGH = 0.46, 0.36
STEPS = 3
LEFT = {"alone": 0.4, "window": 3.7, "state": 7.0}
NAMES = {
    "alone": "one step at a time",
    "window": "all steps at once",
    "state": "with a state",
}
SAYS = {
    "alone": (
        "One step at a time",
        r"$y_t = f(x_t)$",
        "The same plain network at every step. It takes any length, and it ignores "
        "everything that came before.",
    ),
    "window": (
        "All steps at once",
        r"$y_3 = f(x_1, x_2, x_3)$",
        "One plain network for all steps together. It can relate any step to any "
        "other, and it fits sequences of three steps only.",
    ),
    "state": (
        "A state is carried along",
        r"$h_t = f(h_{t-1}, x_t), \quad y_t = g(h_t)$",
        "The state is what is remembered of the steps before. The same f at every "
        "step: any length, and a past.",
    ),
}


def three_designs() -> Diagram:
    """Side by side; each is a step of its own."""
    parts = [*_alone(), *_window(), *_state()]
    parts += [
        Box(f"{key}_name", name, role="bare", at=(LEFT[key] + PITCH, 2 * UP + 0.5))
        for key, name in NAMES.items()
    ]
    steps = tuple(
        Step(title, f"{key}_name, {LIT[key]}", equation, says)
        for key, (title, equation, says) in SAYS.items()
    )
    return Diagram(
        "three designs",
        tuple(parts),
        steps=steps,
        describes="Three designs for a sequence of three steps. One step at a time: "
        "the same network gives each input an output. All at once: three inputs "
        "go into one network with one output. With a state: each state is made from "
        "the input below it and the state before it.",
        beside=False,
    )


def _box(key: str, letter: str, t: int, row: int, role: str) -> Box:
    at = (LEFT[key] + PITCH * (t - 1), UP * row)
    text = f"${letter}$" if letter == "f" else f"${letter}_{t}$"
    name = f"{key}_{letter}{t}"
    return Box(name, text, role=role, at=at, wide=WIDE, high=HIGH)


def _times() -> range:
    return range(1, STEPS + 1)


def _alone() -> list:
    parts: list = []
    for t in _times():
        parts += [
            _box("alone", "x", t, 0, "input"),
            _box("alone", "f", t, 1, "parameter"),
            _box("alone", "y", t, 2, "output"),
            Arrow(f"alone_x{t}", f"alone_f{t}", role="input"),
            Arrow(f"alone_f{t}", f"alone_y{t}", role="output"),
        ]
    return parts


def _window() -> list:
    middle, wide = LEFT["window"] + PITCH, PITCH * (STEPS - 1) + WIDE
    net = Box(
        "window_f", "$f$", role="parameter", at=(middle, UP), wide=wide, high=HIGH
    )
    parts: list = [net, _box("window", "y", STEPS, 2, "output")]
    for t in _times():
        parts.append(_box("window", "x", t, 0, "input"))
        parts.append(Arrow(f"window_x{t}", "window_f", role="input"))
    return [*parts, Arrow("window_f", f"window_y{STEPS}", role="output")]


def _state() -> list:
    parts: list = []
    for t in _times():
        parts += [
            _box("state", "x", t, 0, "input"),
            _box("state", "h", t, 1, "state"),
            _box("state", "y", t, 2, "output"),
            Arrow(f"state_x{t}", f"state_h{t}", role="input"),
            Arrow(f"state_h{t}", f"state_y{t}", role="output"),
        ]
        if t > 1:
            parts.append(Arrow(f"state_h{t - 1}", f"state_h{t}", role="state"))
    return parts


LIT = {
    "alone": ", ".join(f"alone_x{t} > alone_f{t} > alone_y{t}" for t in _times()),
    "window": ", ".join(f"window_x{t} > window_f" for t in _times())
    + f", window_f > window_y{STEPS}",
    "state": ", ".join(f"state_x{t} > state_h{t} > state_y{t}" for t in _times())
    + ", state_h1 > state_h2 > state_h3",
}
