"""The sweep over depths of lecture 05b: what was chosen, and what its text says."""

import torch

from course_lib.models.depth_sweep import RATES, SEEDS, WIDTHS, Stack, stored, tuned


def test_stacks_have_equal_sizes_and_a_residual_one_starts_as_its_input():
    sizes = [
        sum(w.numel() for w in Stack(78, layers, True).parameters())
        for layers in WIDTHS
    ]
    assert max(sizes) < 1.05 * min(sizes)
    model = Stack(7, 2, residual=True)
    for weight in model.layers.parameters():
        torch.nn.init.zeros_(weight)
    vectors = torch.randn(3, 5, WIDTHS[2])
    torch.testing.assert_close(model.states(vectors), vectors)


def test_every_rate_has_seed_0_and_the_best_has_all():
    rows = stored()
    for layers in WIDTHS:
        for residual in (False, True):
            best = tuned(rows, layers, residual)
            assert [row.seed for row in best] == list(SEEDS)
            tried = [
                row.rate
                for row in rows
                if (row.layers, row.residual, row.seed) == (layers, int(residual), 0)
            ]
            assert tried == list(RATES)


def test_what_the_lecture_says_of_depth_is_what_is_stored():
    rows = stored()
    loss = {
        (layers, residual): [row.validation for row in tuned(rows, layers, residual)]
        for layers in WIDTHS
        for residual in (False, True)
    }
    assert min(loss[2, False]) > max(loss[1, False]) + 0.1
    assert min(loss[4, False]) > 2.9
    assert max(loss[4, True]) < min(loss[1, False]) - 0.04
