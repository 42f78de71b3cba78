"""The map of the course: which lecture leads to which."""

from course_lib.show.boxes import arrow, box, canvas
from course_lib.show.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, YELLOW

# (notebook, title on the map, column, row); columns are read from left to right
LECTURES = (
    ("01_sequences", "01 sequences", 0, 1),
    ("02_simple_rnn", "02 simple RNN", 0, 2),
    ("03_vanishing_gradients", "03 vanishing\ngradients", 0, 3),
    ("04_lstm", "04 LSTM", 1, 1),
    ("05_gru", "05 gated\nvariants", 1, 2),
    ("06_language_models", "06 language\nmodels", 2, 1),
    ("07_seq2seq", "07 sequence\nto sequence", 2, 2),
    ("16_state_spaces", "08 latent\nsequences", 2, 3),
    ("08_attention", "09 attention", 3, 1),
    ("09_attention_layers", "10 attention\nlayers", 3, 2),
    ("10_transformer", "11 Transformer", 3, 3),
    ("11_pretraining", "12 pre-training", 4, 1),
    ("14_sets", "13 sets and\nimages", 4, 2),
    ("15_efficient_attention", "14 efficient\nattention", 4, 3),
    ("13_memorisation", "15 memorisation", 4, 4),
)
COLUMNS = (
    ("recurrence", BLUE),
    ("gates", ORANGE),
    ("at work", GREEN),
    ("attention", PURPLE),
    ("beyond", YELLOW),
)
NEEDS = (
    ("01_sequences", "02_simple_rnn"),
    ("02_simple_rnn", "03_vanishing_gradients"),
    ("03_vanishing_gradients", "04_lstm"),
    ("04_lstm", "05_gru"),
    ("05_gru", "06_language_models"),
    ("06_language_models", "07_seq2seq"),
    ("07_seq2seq", "16_state_spaces"),
    ("07_seq2seq", "08_attention"),
    ("08_attention", "09_attention_layers"),
    ("09_attention_layers", "10_transformer"),
    ("10_transformer", "11_pretraining"),
    ("10_transformer", "14_sets"),
    ("10_transformer", "15_efficient_attention"),
    ("10_transformer", "13_memorisation"),
)


def draw_map():
    """The lectures in five columns, with arrows to those that build on them."""
    fig, ax = canvas(10.5, 4.6, 9.6, -4.6, -0.1)
    places = {}
    for name, title, column, row in LECTURES:
        places[name] = (2.1 * column + 0.4, -float(row))
        box(ax, *places[name], title, COLUMNS[column][1], size=(1.5, 0.5))
    for column, (title, colour) in enumerate(COLUMNS):
        x = 2.1 * column + 0.4
        ax.text(x, -0.3, title, ha="center", color=colour, weight="bold", fontsize=13)
    for before, after in NEEDS:
        _lead(ax, places[before], places[after])
    alt = (
        f"The {len(LECTURES)} lectures in five columns: recurrence, gates, at work, "
        "attention, beyond; arrows lead from each lecture to those that build on it."
    )
    return fig, alt


def _lead(ax, start, end) -> None:
    """An arrow down within a column, or across to the next."""
    (x, y), (u, v) = start, end
    if x == u:
        arrow(ax, (x, y - 0.33), (u, v + 0.33), GREY)
    else:
        arrow(ax, (x + 0.82, y), (u - 0.82, v), GREY)
