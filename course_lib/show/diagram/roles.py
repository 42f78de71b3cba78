"""What each colour and each size of letter means in every diagram of the course."""

from matplotlib.colors import to_hex, to_rgb

from course_lib.show.plots import BLUE, GREEN, INK, ORANGE, PURPLE, SKY, YELLOW

# Attention needs its three parts in one picture with states, inputs and outputs. These
# are dark, because the palette has used up what colour-blind people can tell by hue.
VIOLET, BROWN, TEAL = "#6A3DE0", "#8A4B08", "#086058"
SLATE = "#5B6B7F"

COLOURS = {
    "plain": INK,  # an operation without a colour of its own: white inside
    "state": BLUE,
    "memory": SKY,  # a second state beside the first: the LSTM's c, the encoder's f
    "input": GREEN,
    "output": PURPLE,
    "gradient": ORANGE,
    "weight": YELLOW,  # between 0 and 1: gates and attention weights
    "query": VIOLET,
    "key": BROWN,
    "value": TEAL,
    "parameter": SLATE,  # what training changes
    "bare": INK,  # words without a border
}

LETTERS = 12  # points, in boxes
CAPTIONS = 14  # of tensors: mostly formulas, whose letters are small
NUMBERS = 11  # points, in tensors, and the smallest letters of a diagram
TITLE, EQUATION, PROSE = 13, 13.5, 11.5

ASLEEP_EDGE, ASLEEP_FILL, ASLEEP_INK = "#C9C9C9", "#FFFFFF", "#8A8A8A"
CELLS = (0.08, 0.55)  # how strong the colour of a cell is, from zero to the largest
GRID = "#E2E2E2"  # between white cells
FRAME = (0.05, 0.45)  # how strong the inside and the line of a frame are


def colour_of(role: str) -> str:
    """The colour of a role; an unknown one is an error that lists the known."""
    if role not in COLOURS:
        raise ValueError(f"no role {role!r}: expected one of {sorted(COLOURS)}")
    return COLOURS[role]


def tint(colour: str, share: float) -> str:
    """The colour mixed with white; share 1 is the colour itself."""
    red, green, blue = (1 - share * (1 - part) for part in to_rgb(colour))
    return to_hex((red, green, blue))
