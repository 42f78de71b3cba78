"""Exercises of lecture 10: other right answers pass, mistakes are named."""

import numpy as np
import torch
import torch.nn.functional as F
from exercise_cases import variants
from torch import nn

from course_lib.exercises.transformer import EXERCISES, Moved
from course_lib.models.positions import rotated, sinusoids
from course_lib.models.transformer import Transformer


def code(n, d, power=lambda i, d: -2 * i / d):
    """One position, one column after the other."""
    out = []
    for i in range(d // 2):
        angle = n * 10_000 ** power(i, d)
        out += [np.sin(angle), np.cos(angle)]
    return np.array(out)


def library_code(n, d):
    return sinusoids(1, d, start=n)[0].double().numpy()


def norm(x, gamma, beta):
    made = map(torch.tensor, (x, gamma, beta))
    x, gamma, beta = made
    return F.layer_norm(x, (x.shape[-1],), gamma, beta)


def by_axis(axis, correction=0):
    """LayerNorm with mean and variance along another axis."""

    def answer(x, gamma, beta):
        x = torch.from_numpy(x)
        var = x.var(axis, correction=correction, keepdim=True)
        centred = x - x.mean(axis, keepdim=True)
        return (centred / (var + 1e-5).sqrt()).numpy() * gamma + beta

    return answer


def plain(x):
    return norm(x, np.ones(x.shape[-1]), np.zeros(x.shape[-1])).numpy()


def turn(x, n, sign=1, speed=lambda i, d, n: n * 10_000.0 ** (-2 * i / d)):
    """Complex numbers turn by multiplication."""
    d = len(x)
    angle = np.array([speed(i, d, n) for i in range(d // 2)])
    z = (x[0::2] + 1j * x[1::2]) * np.exp(1j * sign * angle)
    return np.stack([z.real, z.imag], axis=1).reshape(-1)


def library_turn(x, n):
    return rotated(torch.tensor(x)[None], start=n)[0].numpy()


def halves(x, n):
    d = len(x)
    z = x[: d // 2] + 1j * x[d // 2 :]
    z = z * np.exp(1j * n * 10_000.0 ** (-np.arange(0, d, 2) / d))
    return np.concatenate([z.real, z.imag])


def both_plus(x, n):
    out = []
    for i in range(len(x) // 2):
        a, b, angle = x[2 * i], x[2 * i + 1], n * 10_000.0 ** (-2 * i / len(x))
        out += [a * np.cos(angle) + b * np.sin(angle)]
        out += [a * np.sin(angle) + b * np.cos(angle)]
    return np.array(out)


def one_after_the_other(x, n):
    """A loop that overwrites what it still needs."""
    out = x.copy()
    for i in range(len(x) // 2):
        a = n * 10_000.0 ** (-2 * i / len(x))
        out[2 * i] = out[2 * i] * np.cos(a) - out[2 * i + 1] * np.sin(a)
        out[2 * i + 1] = out[2 * i] * np.sin(a) + out[2 * i + 1] * np.cos(a)
    return out


def inputs(target, sos):
    return np.insert(target, 0, sos, axis=1)[:, :-1]


def count(d, d_ff):
    """The outside truth: torch's own layer, with as many heads as always fit."""
    layer = nn.TransformerEncoderLayer(d, 1, d_ff)
    return sum(p.numel() for p in layer.parameters())


def decoder_count(d, d_ff):
    layer = nn.TransformerDecoderLayer(d, 1, d_ff)
    return sum(p.numel() for p in layer.parameters())


def first_replaced(target, sos):
    return np.where(np.arange(target.shape[1]) == 0, sos, target)


RIGHT = [
    (1, code),
    (1, library_code),
    (2, turn),
    (2, library_turn),
    (3, norm),
    (4, count),
    (5, inputs),
]
WRONG = [
    (1, lambda n, d: np.concatenate([code(n, d)[0::2], code(n, d)[1::2]]), "alternate"),
    (
        1,
        lambda n, d: code(n, d).reshape(-1, 2)[:, ::-1].reshape(-1),
        "other way round",
    ),
    (1, lambda n, d: code(n, d, lambda i, d: -i / d), "is i/d"),
    (
        1,
        lambda n, d: [
            (np.cos if j % 2 else np.sin)(n / 10_000 ** (2 * j / d)) for j in range(d)
        ],
        "same frequency",
    ),
    (1, lambda n, d: code(n, d, lambda i, d: 2 * i / d), "minus"),
    (1, lambda n, d: code(n, d, lambda i, d: -2 * i / (d // 2)), "by the d/2 pairs"),
    (1, lambda n, d: code(n, d)[:-1], "last cosine"),
    (1, lambda n, d: code(7, 10), "expected"),
    (2, lambda x, n: turn(x, n, sign=-1), "other way"),
    (2, lambda x, n: x + code(n, len(x)), "added a code"),
    (2, halves, "neighbours"),
    (2, lambda x, n: turn(x, 1), "lack the position"),
    (2, lambda x, n: turn(x, n + 1), "do not add 1"),
    (
        2,
        lambda x, n: turn(x, n, speed=lambda i, d, n: n / 10_000 ** (i / d)),
        "yours is -i/d",
    ),
    (2, both_plus, "One of the two sines"),
    (2, lambda x, n: turn(x, n, speed=lambda i, d, n: n), "All pairs"),
    (
        2,
        lambda x, n: np.concatenate([turn(x, n)[0::2], turn(x, n)[1::2]]),
        "old columns",
    ),
    (2, one_after_the_other, "overwritten"),
    (3, lambda x, g, b: plain(x), "gamma and beta"),
    (3, lambda x, g, b: g * plain(x), "beta is missing"),
    (3, lambda x, g, b: g * (plain(x) + b), "then the shift"),
    (3, by_axis(-1, correction=1), "d - 1"),
    (
        3,
        lambda x, g, b: g * (x - x.mean(2)[..., None]) / x.std(2)[..., None] + b,
        "Epsilon is missing",
    ),
    (3, by_axis(0), "along the batch"),
    (3, by_axis(1), "positions of a sequence; take"),
    (3, by_axis((1, 2)), "mixes all positions"),
    (4, lambda d, f: 1109, "expected"),
    (4, lambda d, f: count(d, f) - 4 * d, "4 d are missing"),
    (4, lambda d, f: count(d, f) - 2 * d, "two LayerNorms"),
    (4, lambda d, f: 4 * d * d + 2 * d * f + 4 * d, "biases are missing"),
    (4, lambda d, f: count(d, f) - f - d, "of the network are missing"),
    (4, lambda d, f: count(d, f) - d * d - d, "W_o"),
    (4, lambda d, f: count(d, f) - d * f - d, "counted one"),
    (4, decoder_count, "decoder block"),
    (5, lambda target, sos: target, "own answer"),
    (5, lambda target, sos: np.insert(target, 0, sos, axis=1), "As many inputs"),
    (5, first_replaced, "instead of moving"),
    (
        5,
        lambda target, sos: np.pad(target, ((0, 0), (0, 1)), constant_values=sos)[
            :, 1:
        ],
        "forwards",
    ),
    (5, lambda target, sos: np.roll(target, 1, axis=1), "np.roll"),
    (5, lambda target, sos: target[:, :-1], "given <sos>"),
    (
        5,
        lambda target, sos: np.hstack([target[:, :-1], np.full((len(target), 1), sos)]),
        "not to its end",
    ),
]


test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_moving_changes_positions_in_training_only():
    tokens, plain = torch.tensor([[3, 4, 5]]), Transformer(7, 7, 12, 3, 17)
    moved = Moved(7, 7, 12, 3, 17)
    moved.load_state_dict(plain.state_dict())
    moved.furthest = 500
    at_zero = plain.enter(plain.embed, tokens)
    torch.manual_seed(1)
    assert not torch.allclose(moved.enter(moved.embed, tokens), at_zero, atol=1e-3)
    moved.eval()
    assert torch.equal(moved.enter(moved.embed, tokens), at_zero)
