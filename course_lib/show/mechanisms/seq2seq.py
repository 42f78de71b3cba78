r"""Encoder and decoder of lecture 07: one network reads, another one writes.

Each has a colour of its own. What the decoder writes goes back in at its next step.
"""

from course_lib.show.diagram import Arrow, Box, Diagram, Step, above, below, frame
from course_lib.show.diagram.model import Node

SOURCE = ("we", "are", "eating", "bread")
TARGET = ("estamos", "comiendo", "pan", "<eos>")
PITCH = 1.12  # inches from one step to the next
GAP = 0.3  # more of them between the two networks
LEVEL, APART = 1.6, 0.58  # where the states stand; from them to the words

STEPS = (
    Step(
        "Read",
        "encoder, x_1 > h_1 > h_2 > h_3 > h_4, x_2 > h_2, x_3 > h_3, x_4 > h_4",
        r"$h_t, c_t = \mathrm{LSTM}_{\mathrm{enc}}(E_x[x_t],\ h_{t-1}, c_{t-1})$",
        "The encoder reads the source, one token a step, and says nothing.",
    ),
    Step(
        "Hand over",
        "encoder, h_4 > s_1, decoder",
        r"$s_0 = v = (h_T, c_T)$",
        "Its last state is all that the decoder ever learns of the source.",
    ),
    Step(
        "Write the first token",
        "decoder, sos > s_1 > out_1",
        r"$p(y_1 \mid x) = \mathrm{softmax}(W_y\, s_1 + b_y)$",
        "A start symbol goes in, and the state is turned into a distribution over "
        "the next token. The likeliest is written.",
    ),
    Step(
        "Read what was written",
        "decoder, out_1 > s_2 > out_2 > s_3 > out_3 > s_4 > out_4, "
        "s_1 > s_2 > s_3 > s_4",
        r"$s_t = \mathrm{LSTM}_{\mathrm{dec}}(E_y[y_{t-1}],\ s_{t-1})$",
        "Each token is the next step's input, until the model itself says <eos>.",
    ),
)
DESCRIPTION = (
    "Encoder and decoder. The encoder reads we are eating bread in four steps. Its "
    "last state, v, is the first state of the decoder, which is given <sos> and writes "
    "estamos; an arrow leads this word back into the next step, which writes "
    "comiendo, then pan, then <eos>."
)


def encoder_decoder() -> Diagram:
    """The reader on the left, the writer on the right, one state between them."""
    encoder = [node for t in range(1, 5) for node in _reads(t)]
    decoder = [node for t in range(1, 5) for node in _writes(t)]
    pad = (0.16, 0.16, 0.16, 0.16)
    states = lambda nodes: [n for n in nodes if n.name[:2] in ("h_", "s_")]  # noqa: E731
    around = [
        frame("encoder", states(encoder), "", pad, role="value"),
        frame("decoder", states(decoder), "", pad, role="query"),
    ]
    names = [
        Box("reader", "encoder: reads", role="bare", at=(_x(2.5), LEVEL + 0.6)),
        Box("writer", "decoder: writes", role="bare", at=(_x(7, 1), LEVEL - 0.6)),
    ]
    return Diagram(
        "Encoder and decoder",
        (*around, *encoder, *decoder, *names, *_arrows()),
        steps=tuple(_with_names(step) for step in STEPS),
        describes=DESCRIPTION,
        beside=False,
    )


def _with_names(step: Step) -> Step:
    """A network's name is lit with its frame."""
    names = {"encoder": "encoder, reader", "decoder": "decoder, writer"}
    lit = step.lit
    for name, both in names.items():
        lit = lit.replace(name, both)
    return Step(step.title, lit, step.equation, step.says)


def _x(column: float, second: int = 0) -> float:
    return PITCH * column + GAP * second


def _word(name: str, text: str, role: str = "plain") -> Box:
    return Box(name, text, role=role, wide=0.95, high=0.32)


def _reads(t: int) -> list[Node]:
    """One step of the encoder: a token below its state."""
    state = Box(f"h_{t}", f"$h_{t}$", role="value", at=(_x(t), LEVEL), high=0.42)
    token = _word(f"x_{t}", SOURCE[t - 1], "input")
    return [state, below(state, token, gap=APART)]


def _writes(t: int) -> list[Node]:
    """One step of the decoder: a state, and the token that it writes above it."""
    place = (_x(t + 4, 1), LEVEL)
    state = Box(f"s_{t}", f"$s_{t}$", role="query", at=place, high=0.42, wide=0.62)
    written = _word(f"out_{t}", TARGET[t - 1], "output")
    nodes: list[Node] = [state, above(state, written, gap=APART)]
    if t == 1:
        nodes.append(below(state, _word("sos", "<sos>"), gap=APART))
    return nodes


def _arrows() -> list[Arrow]:
    made = [
        Arrow("h_4", "s_1", "$v$", role="memory"),
        Arrow("sos", "s_1"),
    ]
    for t in range(1, 5):
        made += [
            Arrow(f"x_{t}", f"h_{t}", role="input"),
            Arrow(f"s_{t}.top:0.5", f"out_{t}.bottom:0.5", role="output"),
        ]
    for t in range(1, 4):  # what was written goes back in at the next step
        back = {"role": "output", "bend": LEVEL + 0.21 + APART / 2}
        made += [
            Arrow(f"h_{t}", f"h_{t + 1}", role="value"),
            Arrow(f"s_{t}", f"s_{t + 1}", role="query"),
            Arrow(f"out_{t}.bottom:0.85", f"s_{t + 1}.top:0.18", **back),
        ]
    return made
