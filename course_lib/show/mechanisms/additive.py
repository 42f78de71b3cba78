r"""One decoder step with additive attention in four panels: score to next state.

The toy translates one sentence, "we are eating bread". Its weights have one digit after
the point and were set so that every word looks at its partner; the next state is made
by a simple recurrent cell, so that all can be computed with a pocket calculator.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from course_lib.show.diagram import (
    Arrow,
    Box,
    Diagram,
    Op,
    Step,
    Tensor,
    below,
    column,
    frame,
    right_of,
    row,
)
from course_lib.show.diagram.model import Frame

WORDS = ("we", "are", "eating", "bread")
WRITTEN = ("estamos", "comiendo", "pan", "<eos>")
# features f (T = 4, d_f = 3), states s (d_s = 2), a score with d_a = 2 hidden units
F = np.array([[0.5, 1.0, 1.0], [0.1, 0.7, 1.0], [-1.0, 1.0, 0.4], [-1.0, -0.9, 1.0]])
W_Q = np.array([[0.7, -2.5], [-2.5, 0.3]])
W_K = np.array([[-2.5, -0.3, 2.4], [-1.2, -1.1, 0.3]])
W_SCORE = np.array([2.5, -2.5])
# the decoder: embeddings of <sos> and of the first three words written; its cell
E_Y = np.array([[-1.0, 1.0], [0.6, -1.0], [0.9, -0.2], [-1.0, 1.0]])
W_S = np.array([[0.7, -0.7], [1.8, 1.2]])
W_Y = np.array([[-2.5, 2.5], [-2.3, 0.4]])
W_V = np.array([[-0.4, -0.4, -0.5], [-2.2, 0.3, 1.8]])
# from [s; v] to one logit for each word of WRITTEN
W_OUT = np.array(
    [
        [2.5, 1.1, 2.5, 2.5, 0.0],
        [-2.5, 2.2, -1.6, 2.4, -2.4],
        [-2.5, -2.1, -2.1, -2.5, 2.5],
        [2.5, 0.9, -2.5, -2.5, -0.7],
    ]
)


def softmax(e: np.ndarray) -> np.ndarray:
    """exp(e) over its sum."""
    return np.exp(e) / np.exp(e).sum()


def look(s: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
    """One step from the state before, s, and the embedded word before, y."""
    e = np.tanh(W_Q @ s + F @ W_K.T) @ W_SCORE
    alpha = softmax(e)
    weighted = alpha[:, None] * F
    v = weighted.sum(axis=0)
    after = np.tanh(W_S @ s + W_Y @ y + W_V @ v)
    p = softmax(W_OUT @ np.concatenate([after, v]))
    made = {"e": e, "alpha": alpha, "weighted": weighted, "v": v}
    return {"s_prev": s, **made, "s": after, "p": p}


def numbers(word: int = 2) -> dict[str, np.ndarray]:
    """All that is computed for a word of the output, counted from 1, from s_0 = 0."""
    if not 1 <= word <= len(WRITTEN):
        raise ValueError(f"word {word} is not among the {len(WRITTEN)} written")
    made = {"s": np.zeros(2)}
    for y in E_Y[:word]:
        made = look(made["s"], y)
    return made


FEATURES = "name, " + ", ".join(f"f_{t}" for t in range(1, len(WORDS) + 1))
DESCRIPTION = (
    "One step of a decoder with additive attention. The state before is the query. It "
    "is scored against each of the four features of we are eating bread. A softmax "
    "turns the scores into weights; the features times their weights are added up to "
    "the context. A recurrent cell reads the context, the word before and the state "
    "before, and makes the new state. State and context choose the next word, and the "
    "new state goes back to the left: it is the query of the next step."
)
ROW = 0.36  # inches from one source position to the next


def additive_attention(word: int = 2) -> Diagram:
    """Positions run downwards, the computation from left to right, then back below.

    word  which word of WRITTEN is about to be written, counted from 1
    """
    n = numbers(word)
    features, *rows = _features()
    score, *weighing = _weights(features, n, word)
    *summing, v = _context(weighing[-1], n, word)
    decoder = _decoder(score, v, n, word)
    nodes = [features, *rows, score, *weighing, *summing, v, *decoder]
    return Diagram(
        "Additive attention",
        (*nodes, *_arrows(decoder)),
        steps=_steps(n, word),
        describes=DESCRIPTION,
        beside=False,
    )


def _steps(n: dict[str, np.ndarray], word: int) -> tuple[Step, ...]:
    best, said = int(n["alpha"].argmax()), WRITTEN[int(n["p"].argmax())]
    first = " The first state is zero." if word == 1 else ""
    last = word == len(WRITTEN)
    on = "The sentence ends." if last else "Then the new state is the query, and so on."
    return (
        Step(
            "Score",
            f"{FEATURES}, F > score > e, s_prev > score",
            r"$e_{l,t} = w^{\!\top\!}\tanh(W_q\,s_{l-1} + W_k\,f_t)$",
            "A small network compares the decoder's state, the query, with the feature "
            f"of every source word. One score for each.{first}",
        ),
        Step(
            "Softmax",
            "e > softmax > alpha",
            r"$\alpha_l = \mathrm{softmax}(e_l)$",
            f"The scores become weights that add up to 1. {n['alpha'][best]:.0%} goes "
            f'to "{WORDS[best]}".',
            mark={"alpha": (best, None)},
        ),
        Step(
            "Context",
            f"{FEATURES}, F > times > weighted > plus > v, alpha > times",
            r"$v_l = \alpha_{l,1}\,f_1 + \dots + \alpha_{l,T}\,f_T$",
            "Each feature is multiplied by its weight, and the rows are added up. "
            "(The numbers shown are rounded.)",
            mark={"weighted": (best, None)},
        ),
        Step(
            "Next state",
            "v > g > s > says, v > says, s_prev > g, said > g"
            + ("" if last else ", s > s_prev"),
            r"$s_l = g([E_y[y_{l-1}];\, v_l],\ s_{l-1})$",
            "The cell reads the word before, the context and its own state. New state "
            f'and context choose the next word, "{said}", with probability '
            f"{n['p'].max():.2f}. {on}",
        ),
    )


def _features() -> list:
    """The frame that holds them, then one row for each word, then their name."""
    rows = [_feature(t) for t in reversed(range(1, len(WORDS) + 1))]
    rows = column(rows, gap=ROW - rows[0].size[1])
    around = frame("F", rows, pad=0.08, role="memory")
    name = below(around, Box("name", "$f$ $(T, d_f)$", role="bare"), gap=0.05)
    return [around, *rows, name]


def _feature(t: int) -> Tensor:
    label = f"{WORDS[t - 1]} $f_{t}$"
    made = Tensor(f"f_{t}", F[t - 1][None], label=label, side="left", role="memory")
    return replace(made, cell=(0.56, 0.28))


def _weights(features: Frame, n: dict[str, np.ndarray], word: int) -> list:
    """Score, scores, softmax, weights."""
    column_of = partial(Tensor, shape="$(T)$", side="bottom", cell=(0.53, ROW))
    score = Box("score", "score", role="parameter", wide=0.66, high=4 * ROW)
    e = column_of("e", n["e"], label=f"$e_{word}$")
    squash = Box("softmax", "softmax", wide=0.74, high=4 * ROW)
    alpha = column_of("alpha", n["alpha"], label=rf"$\alpha_{word}$", limit=1.0)
    alpha = replace(alpha, role="weight")
    return row([right_of(features, score, gap=0.24), e, squash, alpha], gap=0.22)


def _context(alpha: Tensor, n: dict[str, np.ndarray], word: int) -> list:
    """Features times weights, and their sum, the context, which comes last."""
    label = rf"$\alpha_{{{word},t}}\, f_t$"
    style = {"label": label, "cell": (0.52, ROW), "limit": 1.0}
    weighted = Tensor("weighted", n["weighted"], role="memory", **style)
    times, weighted = row([right_of(alpha, Op("times"), gap=0.23), weighted], gap=0.23)
    plus = below(weighted, Op("plus", "+"), gap=0.13)
    v = Tensor("v", n["v"][None], label=f"$v_{word}$", shape="$(d_f)$", side="right")
    return [times, weighted, plus, below(plus, replace(v, role="output"), gap=0.15)]


def _decoder(score: Box, v: Tensor, n: dict[str, np.ndarray], word: int) -> list:
    """One step of the decoder, under the computation of its context."""
    state = partial(Tensor, cell=(0.56, 0.28), role="state", limit=1.0)
    zero = " = 0" if word == 1 else ""
    before = state("s_prev", n["s_prev"], label=f"$s_{word - 1}{zero}$", side="left")
    before = replace(before, shape="$(d_s)$", at=(score.at[0], v.at[1] - 0.72))
    g = Box("g", "$g$", role="parameter", wide=0.5, high=0.5)
    g = replace(g, at=(score.at[0] + 2.6, before.at[1]))
    said = below(g, Box("said", ("<sos>", *WRITTEN)[word - 1], role="bare"), gap=0.2)
    after = state("s", n["s"], label=f"$s_{word}$", side="top")
    after = replace(after, at=(g.at[0] + 1.05, g.at[1]))
    says = Box("says", WRITTEN[int(n["p"].argmax())], role="bare")
    says = replace(says, at=(v.at[0] + 0.55, g.at[1]))
    return [before, g, said, after, says]


def _arrows(decoder: list) -> list[Arrow]:
    _, _, said, _, _ = decoder
    back = said.box[1] - 0.1  # the way back passes below the word before
    return [
        Arrow("F", "score", role="memory"),
        Arrow("s_prev", "score", "query", role="query"),
        Arrow("score", "e"),
        Arrow("e", "softmax"),
        Arrow("softmax", "alpha", role="weight"),
        Arrow("alpha", "times", role="weight"),
        Arrow("F.top", "times.top", role="memory"),
        Arrow("times", "weighted", role="memory"),
        Arrow("weighted", "plus", role="memory"),
        Arrow("plus", "v", role="output"),
        Arrow("v.left", "g.top", role="output"),
        Arrow("s_prev", "g", role="state"),
        Arrow("said", "g"),
        Arrow("g", "s", role="state"),
        Arrow("s", "says", role="output"),
        Arrow("v.bottom:0.75", "says.top", role="output"),
        Arrow("s.bottom", "s_prev.bottom", "next", role="query", bend=back, at=0.75),
    ]
