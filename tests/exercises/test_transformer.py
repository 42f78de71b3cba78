"""Exercise checks of lecture 10: right answers pass, named mistakes are named."""

import numpy as np
import torch
import torch.nn.functional as F
from exercise_cases import exercise_tests
from torch import nn

from course_lib.exercises import transformer as ex
from course_lib.models.positions import sinusoids


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
    return F.layer_norm(
        *map(torch.from_numpy, (x,)), (5,), *map(torch.tensor, (gamma, beta))
    )


def by_axis(axis, correction=0):
    """LayerNorm with mean and variance along another axis."""

    def answer(x, gamma, beta):
        x = torch.from_numpy(x)
        var = x.var(axis, correction=correction, keepdim=True)
        centred = x - x.mean(axis, keepdim=True)
        return (centred / (var + 1e-5).sqrt()).numpy() * gamma + beta

    return answer


def plain(x):
    return norm(x, np.ones(5), np.zeros(5)).numpy()


def turn(x, n, sign=1, speed=lambda i, d, n: n * 10_000.0 ** (-2 * i / d)):
    """Complex numbers turn by multiplication."""
    d = len(x)
    angle = np.array([speed(i, d, n) for i in range(d // 2)])
    z = (x[0::2] + 1j * x[1::2]) * np.exp(1j * sign * angle)
    return np.stack([z.real, z.imag], axis=1).reshape(-1)


def halves(x, n):
    d = len(x)
    z = x[: d // 2] + 1j * x[d // 2 :]
    z = z * np.exp(1j * n * 10_000.0 ** (-np.arange(0, d, 2) / d))
    return np.concatenate([z.real, z.imag])


def inputs(target, sos):
    return np.insert(target, 0, sos, axis=1)[:, :-1]


def count(d, d_ff):
    layer = nn.TransformerEncoderLayer(d, 3, d_ff)
    return sum(p.numel() for p in layer.parameters())


RIGHT = [
    (ex.check_position_code, code),
    (ex.check_position_code, library_code),
    (ex.check_layer_norm, norm),
    (ex.check_rotary, turn),
    (ex.check_decoder_inputs, inputs),
    (ex.check_block_parameters, count),
]
WRONG = [
    (
        ex.check_position_code,
        lambda n, d: np.concatenate([code(n, d)[0::2], code(n, d)[1::2]]),
        "alternate",
    ),
    (
        ex.check_position_code,
        lambda n, d: code(n, d).reshape(-1, 2)[:, ::-1].reshape(-1),
        "other way round",
    ),
    (ex.check_position_code, lambda n, d: code(n, d, lambda i, d: -i / d), "is i/d"),
    (
        ex.check_position_code,
        lambda n, d: [
            (np.cos if j % 2 else np.sin)(n / 10_000 ** (2 * j / d)) for j in range(d)
        ],
        "same frequency",
    ),
    (ex.check_position_code, lambda n, d: code(n, d, lambda i, d: 2 * i / d), "minus"),
    (ex.check_position_code, lambda n, d: code(n, d)[:-1], "last cosine"),
    (ex.check_layer_norm, lambda x, g, b: plain(x), "gamma and beta"),
    (ex.check_layer_norm, lambda x, g, b: g * plain(x), "beta is missing"),
    (ex.check_layer_norm, lambda x, g, b: g * (plain(x) + b), "then the shift"),
    (ex.check_layer_norm, by_axis(-1, correction=4), "factor 1/d"),
    (ex.check_layer_norm, by_axis(-1, correction=1), "d - 1"),
    (ex.check_layer_norm, by_axis(0), "along the batch"),
    (ex.check_layer_norm, by_axis(1), "places of a sentence; take"),
    (ex.check_layer_norm, by_axis((1, 2)), "mixes all places"),
    (ex.check_rotary, lambda x, n: turn(x, n, sign=-1), "other way"),
    (ex.check_rotary, lambda x, n: x + code(n, len(x)), "added a code"),
    (ex.check_rotary, halves, "neighbours"),
    (ex.check_rotary, lambda x, n: turn(x, 1), "lack the place"),
    (ex.check_rotary, lambda x, n: turn(x, n, speed=lambda i, d, n: n), "All pairs"),
    (
        ex.check_rotary,
        lambda x, n: np.concatenate([turn(x, n)[0::2], turn(x, n)[1::2]]),
        "old places",
    ),
    (ex.check_decoder_inputs, lambda target, sos: target, "own answer"),
    (
        ex.check_decoder_inputs,
        lambda target, sos: np.insert(target, 0, sos, axis=1),
        "length must stay",
    ),
    (
        ex.check_decoder_inputs,
        lambda target, sos: np.where(np.arange(4) == 0, sos, target),
        "instead of moving",
    ),
    (
        ex.check_decoder_inputs,
        lambda target, sos: np.insert(target, 4, sos, axis=1)[:, 1:],
        "forwards",
    ),
    (
        ex.check_decoder_inputs,
        lambda target, sos: target[:, [3, 0, 1, 2]],
        "np.roll",
    ),
    (ex.check_decoder_inputs, lambda target, sos: target[:, :3], "given <sos>"),
    (ex.check_block_parameters, lambda d, f: count(d, f) - 4 * d, "4 d are missing"),
    (ex.check_block_parameters, lambda d, f: count(d, f) - 2 * d, "two LayerNorms"),
    (
        ex.check_block_parameters,
        lambda d, f: 4 * d * d + 2 * d * f + 4 * d,
        "biases are missing",
    ),
    (
        ex.check_block_parameters,
        lambda d, f: count(d, f) - f - d,
        "of the network are missing",
    ),
    (ex.check_block_parameters, lambda d, f: count(d, f) - d * d - d, "W_o"),
    (ex.check_block_parameters, lambda d, f: count(d, f) - d * f - d, "counted one"),
    (
        ex.check_block_parameters,
        lambda d, f: sum(
            p.numel() for p in nn.TransformerDecoderLayer(d, 3, f).parameters()
        ),
        "decoder block",
    ),
    (ex.check_block_parameters, lambda d, f: 99, "expected"),
]


test_right, test_wrong, test_open = exercise_tests(RIGHT, WRONG)
