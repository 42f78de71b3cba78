"""Exercise checks of lecture 11: right answers pass, named mistakes are named."""

import torch
from exercise_cases import exercise_tests

from course_lib.exercises import pretraining as ex
from course_lib.models.gpt import GPT


def size(L, d, V, C):
    with torch.device("meta"):
        return sum(p.numel() for p in GPT(V, d, 1, L, C).parameters())


def hide(words, u, other, mask):
    hidden = torch.where(u < 0.135, other, words)
    return torch.where(u < 0.8 * 0.15, torch.full_like(words, mask), hidden)


def banded(low, high):
    return lambda words, u, other, mask: torch.where(
        u < low, mask, torch.where(u < high, other, words)
    )


def pool(states, real):
    return torch.stack([s[r].mean(dim=0) for s, r in zip(states, real, strict=True)])


RIGHT = [
    (ex.check_heads, lambda width: width // 64),
    (ex.check_size, size),
    (ex.check_hide, hide),
    (ex.check_hide, lambda *a: hide(*a).numpy()),
    (ex.check_pool, pool),
]
WRONG = [
    (ex.check_heads, lambda width: 12, "BERT base"),
    (ex.check_heads, lambda width: width / 96, "Megatron"),
    (ex.check_heads, lambda width: 64, "width of one head"),
    (ex.check_heads, lambda width: 48, "number of layers"),
    (ex.check_heads, lambda width: 99, "expected 25"),
    (ex.check_size, lambda L, d, V, C: size(L, d, V, C) - C * d, "places"),
    (ex.check_size, lambda L, d, V, C: size(L, d, V, C) + V * d, "tied"),
    (ex.check_size, lambda L, d, V, C: size(L, d, V, C) - 2 * d, "last LayerNorm"),
    (ex.check_size, lambda L, d, V, C: size(L, d, V, C) - 13 * d * L, "13 d in each"),
    (ex.check_size, lambda L, d, V, C: size(L, d, V, C) - 4 * d * L, "two norms"),
    (
        ex.check_size,
        lambda L, d, V, C: L * (6 * d * d + 10 * d) + (V + C) * d + 2 * d,
        "hidden width",
    ),
    (ex.check_size, lambda L, d, V, C: size(1, d, V, C), "one layer"),
    (ex.check_size, lambda L, d, V, C: 12 * L * d * d, "rule of thumb"),
    (ex.check_hide, banded(0.15, 0.15), "All 15 %"),
    (ex.check_hide, banded(0.12, 0.15), "shown unchanged"),
    (ex.check_hide, banded(0.12, 0.12), "random words are missing"),
    (ex.check_hide, banded(0.8, 0.9), "80 % of the chosen"),
    (
        ex.check_hide,
        lambda w, u, other, mask: torch.where(
            u < 0.12, other, torch.where(u < 0.135, mask, w)
        ),
        "exchanged",
    ),
    (ex.check_hide, lambda w, *_: w, "numbers are not"),
    (ex.check_pool, lambda s, r: s.mean(dim=1), "Padding is averaged"),
    (ex.check_pool, lambda s, r: (s * r[..., None]).mean(dim=1), "all N places"),
    (ex.check_pool, lambda s, r: (s * r[..., None]).sum(dim=1), "That is the sum"),
    (ex.check_pool, lambda s, r: s[:, 0], "first word"),
    (
        ex.check_pool,
        lambda s, r: (s * r[..., None]).sum(dim=1) / r.sum(),
        "whole batch",
    ),
    (ex.check_pool, lambda s, r: s.sum(dim=2), "has shape (3, 5)"),
]


test_right, test_wrong, test_open = exercise_tests(RIGHT, WRONG)


def test_an_answer_cannot_change_the_question(capsys):
    def spoil(words, u, other, mask):
        words.fill_(0)
        u.fill_(0)

    ex.check_hide(spoil)
    ex.check_hide(hide)
    assert capsys.readouterr().out.endswith("Exercise 3: right\n")
