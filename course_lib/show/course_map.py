"""The map of the course: its parts, and which lecture leads to which."""

from matplotlib.axes import Axes

from course_lib.show.boxes import arrow, box, canvas
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    YELLOW,
    Picture,
)

STEP = 1.85  # from a column to the next
# (notebook, title on the map, column, row); columns are read from left to right
LECTURES = (
    ("01_sequences", "01 sequences", 0, 1),
    ("02_simple_rnn", "02 simple\nRNN", 0, 2),
    ("03_vanishing_gradients", "03 vanishing\ngradients", 0, 3),
    ("04_lstm", "04 LSTM", 1, 1),
    ("05_gru", "05 gated\nvariants", 1, 2),
    ("06_language_models", "06 language\nmodels", 2, 1),
    ("07_seq2seq", "07 sequence\nto sequence", 2, 2),
    ("08_attention", "08 attention", 3, 1),
    ("09_attention_layers", "09 attention\nlayers", 3, 2),
    ("10_transformer", "10 Trans-\nformer", 3, 3),
    ("11_pretraining", "11 pre-\ntraining", 4, 1),
    ("13_memorisation", "13 memo-\nrisation", 4, 2),
    ("14_sets", "14 sets and\nimages", 5, 3),
    ("15_efficient_attention", "15 efficient\nattention", 5, 4),
    ("16_state_spaces", "16 latent\nsequences", 6, 4),
)
COLUMNS = (
    ("I recurrence", BLUE),
    ("II gates", ORANGE),
    ("III at work", GREEN),
    ("IV attention", PURPLE),
    ("V large models", YELLOW),
    ("VI beyond text", SKY),
    ("VII and back", INK),
)
NEEDS = (
    ("01_sequences", "02_simple_rnn"),
    ("02_simple_rnn", "03_vanishing_gradients"),
    ("03_vanishing_gradients", "04_lstm"),
    ("04_lstm", "05_gru"),
    ("05_gru", "06_language_models"),
    ("06_language_models", "07_seq2seq"),
    ("07_seq2seq", "08_attention"),
    ("08_attention", "09_attention_layers"),
    ("09_attention_layers", "10_transformer"),
    ("10_transformer", "11_pretraining"),
    ("10_transformer", "13_memorisation"),
    ("10_transformer", "14_sets"),
    ("14_sets", "15_efficient_attention"),
    ("15_efficient_attention", "16_state_spaces"),
)


def draw_map() -> Picture:
    """The lectures in a column for each part, with arrows to those that follow."""
    fig, ax = canvas(13.0, 4.6, 12.4, -4.5, 0.0)
    places = {}
    for name, title, column, row in LECTURES:
        places[name] = (STEP * column + 0.4, -float(row))
        x, y = places[name]
        box(ax, x, y, title, COLUMNS[column][1], size=(1.3, 0.5))
    for column, (title, colour) in enumerate(COLUMNS):
        x = STEP * column + 0.4
        ax.text(x, -0.3, title, ha="center", color=colour, weight="bold", fontsize=12)
    for before, after in NEEDS:
        _lead(ax, places[before], places[after])
    parts = ", ".join(title for title, _ in COLUMNS)
    alt = (
        f"The {len(LECTURES)} lectures in a column for each part: {parts}; arrows lead "
        "from each lecture to those that follow it."
    )
    return fig, alt


def _lead(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    """An arrow down within a column, or across to the next."""
    (x, y), (u, v) = start, end
    if x == u:
        arrow(ax, (x, y - 0.33), (u, v + 0.33), GREY)
    else:
        arrow(ax, (x + 0.7, y), (u - 0.7, v), GREY)
