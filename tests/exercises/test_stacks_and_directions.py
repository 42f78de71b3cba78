"""Exercises of lecture 05b: other right answers pass, mistakes are named."""

import numpy as np
from exercise_cases import variants
from torch import nn

from course_lib.exercises.stacks_and_directions import (
    EXERCISES,
    PLANS,
    delayed_accuracy,
    lookahead_compared,
)


def count(module: nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())


def by_torch(kind=nn.LSTM, **options):
    return lambda x, h, n: count(kind(x, h, n, bidirectional=True, **options))


def flip_by_index(x, lengths):
    t = np.arange(x.shape[1])
    source = np.where(t < lengths[:, None], lengths[:, None] - 1 - t, t)
    return np.take_along_axis(x, source[..., None], axis=1)


def flip_in_place(x, lengths):
    for row, length in zip(x, lengths, strict=True):
        row[:length] = row[:length][::-1].copy()
    return x


def flip_a_view(x, lengths):
    """The copy that is none: `x[:]` shares its numbers with x."""
    return flip_in_place(x[:], lengths)


def seen(directions, t, T, own=1):
    back = {"backward", "both"} & set(directions)
    forth = {"forward", "both"} & set(directions)
    return (1 if forth else t + 1 - own, T if back else t)


def seen_by_gradient(directions, t, T):
    """From the arrows themselves: which inputs lead to output t."""
    views = {"forward": np.tril, "backward": np.triu, "both": np.asarray}
    reach = np.eye(T)
    for direction in directions:
        reach = views[direction](np.ones((T, T))) @ reach
    inputs = np.flatnonzero(reach[t - 1]) + 1
    return inputs[0], inputs[-1]


RIGHT = [
    (1, lambda n, t: t + n - 1),
    (2, seen),
    (2, seen_by_gradient),
    (3, by_torch()),
    (4, flip_by_index),
    (4, lambda x, lengths: flip_in_place(x.copy(), lengths)),
]
WRONG = [
    (1, lambda n, t: n * t, "one cell after the other"),
    (1, lambda n, t: n + t, "One too many"),
    (1, lambda n, t: t, "starts late"),
    (1, lambda n, t: 12, "expected"),
    (2, lambda d, t, T: seen(d, t, T, own=0), "A backward layer sees its own"),
    (
        2,
        lambda d, t, T: (1, t - 1) if set(d) == {"forward"} else seen(d, t, T),
        "A forward layer sees its own",
    ),
    (2, lambda d, t, T: seen(d[-1:], t, T), "completes the view"),
    (2, lambda d, t, T: (1, T), "Only a mixture"),
    (2, lambda d, t, T: tuple(k - 1 for k in seen(d, t, T)), "counted from 1"),
    (3, lambda x, h, n: 2 * count(nn.LSTM(x, h, n)), "the concatenation: 2 d_h wide"),
    (3, lambda x, h, n: count(nn.LSTM(x, h, n)), "one direction"),
    (3, lambda x, h, n: by_torch()(x, h, n) - n * 2 * 4 * h, "you counted one"),
    (3, by_torch(bias=False), "biases are missing"),
    (3, by_torch(nn.GRU), "a GRU"),
    (3, lambda x, h, n: n * by_torch()(x, h, 1), "only layer 1 reads x"),
    (4, lambda x, lengths: x[:, ::-1], "padding to the front"),
    (4, lambda x, lengths: x[::-1], "batch axis"),
    (4, lambda x, lengths: x[:, :, ::-1], "features"),
    (4, lambda x, lengths: x, "Nothing is reversed"),
    (4, flip_in_place, "changes its arguments"),
    (4, flip_a_view, "changes its arguments"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_every_kind_of_stack_is_asked():
    asked = {tuple(directions) for directions, _, _ in EXERCISES[2].cases()}
    assert asked == {tuple(plan) for plan in PLANS}


def test_the_open_exercise_compares_delays_and_shows_every_seed():
    found = lookahead_compared(ahead=1, delays=(0, 1), seeds=1)
    assert found == {d: [delayed_accuracy(d, 1, 0)] for d in (0, 1)}
    assert abs(found[0][0] - 0.5) < 0.05
    assert found[1][0] > 0.95
