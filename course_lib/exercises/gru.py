"""Exercises of lecture 05: gated variants, stacks, both directions."""

from collections.abc import Callable

import numpy as np

from course_lib.exercises.verdict import judge


def check_coupled_count(answer: Callable) -> None:
    """(1 - f^n) times the candidate: a geometric sum with weights f^k (1 - f)"""
    f, candidate, steps = 0.9, 0.5, 7
    geometric = (1 - f**steps) / (1 - f)
    mistakes = {
        "That is the standard LSTM with i = f; here i is tied to 1 - f.": (
            f * geometric * candidate
        ),
        "You added the candidate in full; it enters with weight 1 - f.": (
            geometric * candidate
        ),
        "That is one step too few: after n steps the exponent is n.": (
            (1 - f ** (steps - 1)) * candidate
        ),
        "That is one step too many: after n steps the exponent is n.": (
            (1 - f ** (steps + 1)) * candidate
        ),
        "That is how much of the *old* state is left; here it was 0.": (
            f**steps * candidate
        ),
        "The candidate is missing: the limit of c is the candidate, not 1.": (
            1 - f**steps
        ),
    }
    right = (1 - f**steps) * candidate
    judge("Exercise 1", answer, (f, candidate, steps), right, mistakes)


def torch_gru(
    arguments: tuple[np.ndarray, ...],
    flip: bool = False,
    before: bool = False,
    order: str = "rzn",
    loose: bool = False,
) -> np.ndarray:
    """One step of torch's GRU, and the ways of getting it wrong."""
    x, h, W_x, W_h, b_x, b_h = arguments
    index = [order.index(block) for block in "rzn"]
    a_x = [np.split(x @ W_x.T + b_x, 3, axis=1)[k] for k in index]
    a_h = [np.split(h @ W_h.T + b_h, 3, axis=1)[k] for k in index]
    W_n = np.split(W_h, 3)[index[2]]
    b_n = np.split(b_h, 3)[index[2]]
    r, z = (1 / (1 + np.exp(-a_x[k] - a_h[k])) for k in (0, 1))
    inner = r * a_h[2]
    if before:
        inner = (r * h) @ W_n.T + b_n
    if loose:
        inner = r * (h @ W_n.T) + b_n
    n = np.tanh(a_x[2] + inner)
    keep = 1 - z if flip else z
    return keep * h + (1 - keep) * n


def check_torch_gru_step(answer: Callable) -> None:
    """n = tanh(W_in x + b_in + r (W_hn h + b_hn)), h = (1 - z) n + z h"""
    rng = np.random.default_rng(7)
    d_x, d_h = 3, 5
    shapes = (2, d_x), (2, d_h), (3 * d_h, d_x), (3 * d_h, d_h), (3 * d_h,), (3 * d_h,)
    arguments = tuple(rng.standard_normal(shape) for shape in shapes)
    mistakes = {
        "z is the other way round: in torch z = 1 keeps the old state.": torch_gru(
            arguments, flip=True
        ),
        "r acts before the product; torch computes r * (W_hn h + b_hn).": torch_gru(
            arguments, before=True
        ),
        "z is the other way round, and r acts before the product.": torch_gru(
            arguments, flip=True, before=True
        ),
        "The blocks stand in the order r, z, n; you read z, r, n.": torch_gru(
            arguments, order="zrn"
        ),
        "The blocks stand in the order r, z, n; you read the candidate first.": (
            torch_gru(arguments, order="nzr")
        ),
        "b_hn belongs inside the bracket that r multiplies.": torch_gru(
            arguments, loose=True
        ),
    }
    judge("Exercise 2", answer, arguments, torch_gru(arguments), mistakes)


def lstm_parameters(
    d_x: int,
    d_h: int,
    layers: int,
    ways: int = 2,
    biases: int = 2,
    blocks: int = 4,
    doubled: bool = True,
) -> int:
    """Parameters of a stack of LSTM layers in torch's way of counting."""
    total, d_in = 0, d_x
    for _ in range(layers):
        total += ways * blocks * d_h * (d_in + d_h + biases)
        d_in = ways * d_h if doubled else d_h
    return total


def check_bilstm_parameters(answer: Callable) -> None:
    """2 * 4 d_h (d_in + d_h + 2) per layer, with d_in = 2 d_h from layer 2 on"""
    sizes = d_x, d_h, layers = 3, 5, 3
    mistakes = {
        "From layer 2 on the input is the concatenation: 2 d_h wide.": (
            lstm_parameters(*sizes, doubled=False)
        ),
        "That is one direction; each layer has two cells.": (
            lstm_parameters(*sizes, ways=1)
        ),
        "torch keeps two bias vectors per cell; you counted one.": (
            lstm_parameters(*sizes, biases=1)
        ),
        "The biases are missing.": lstm_parameters(*sizes, biases=0),
        "That is a GRU, three blocks; the LSTM has four.": (
            lstm_parameters(*sizes, blocks=3)
        ),
        "You gave every layer the input width d_x; only layer 1 reads x.": (
            layers * lstm_parameters(d_x, d_h, 1)
        ),
    }
    judge("Exercise 3", answer, sizes, lstm_parameters(*sizes), mistakes)


def check_wavefront_rounds(answer: Callable) -> None:
    """T + N - 1"""
    layers, steps = 3, 11
    mistakes = {
        "That is one cell after the other; a diagonal runs at once.": layers * steps,
        "One too many: the first cell of layer 1 is round 1, not 2.": layers + steps,
        "The top layer starts late: add the rounds it waits.": steps,
    }
    right = layers + steps - 1
    judge("Exercise 4", answer, (layers, steps), right, mistakes)


def check_flip_within_lengths(answer: Callable) -> None:
    """The first `length` steps of each sequence reversed, the padding left behind"""
    rng = np.random.default_rng(11)
    lengths = np.array([2, 5, 3])
    x = rng.standard_normal((3, 5, 2)) * (np.arange(5) < lengths[:, None])[..., None]
    right = x.copy()
    for row, length in zip(right, lengths, strict=True):
        row[:length] = row[:length][::-1].copy()
    mistakes = {
        "You flipped the padding to the front: the cell would read it first.": (
            x[:, ::-1]
        ),
        "You flipped the batch axis; time is axis 1.": x[::-1],
        "You flipped the features; time is axis 1.": x[:, :, ::-1],
        "Nothing is reversed.": x,
    }
    judge("Exercise 5", answer, (x.copy(), lengths), right, mistakes)


def check_first_and_last_seen(answer: Callable) -> None:
    """(1, t) for forward layers alone, (t, T) for backward, (1, T) for a mixture"""
    T, t = 9, 4
    stacks = [["forward"] * 2, ["backward"] * 2, ["backward", "forward"], ["both"]]

    def all_stacks() -> list | None:
        results = [answer(directions, t, T) for directions in stacks]
        return None if any(r is None or r is ... for r in results) else results

    right = [(1, t), (t, T), (1, T), (1, T)]
    mistakes = {
        "A backward layer sees its own input too: steps t to T.": (
            [(1, t), (t + 1, T), (1, T), (1, T)]
        ),
        "A forward layer sees its own input too: steps 1 to t.": (
            [(1, t - 1), (t, T), (1, T), (1, T)]
        ),
        "A backward layer above or below a forward one completes the view.": (
            [(1, t), (t, T), (1, t), (1, T)]
        ),
        "Only the mixture sees everything; check the stacks of one direction.": (
            [(1, T)] * 4
        ),
    }
    judge("Exercise 6", all_stacks, (), right, mistakes)
