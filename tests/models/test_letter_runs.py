"""The letter models of lectures 04 and 05: equal sizes, and what is chosen on what."""

import numpy as np
import pytest

from course_lib.models import letter_runs
from course_lib.models.letter_runs import RATES, SEEDS, STEPS, WIDTH
from course_lib.numpy_cells import text


@pytest.mark.parametrize("kind", WIDTH)
def test_a_network_learns_from_its_first_steps(kind):
    writer = letter_runs.learn_to_write(kind, rate=0.03, steps=17, seed=0)
    assert len(writer.losses) == 17
    assert abs(writer.losses[0] - np.log(78)) < 0.7
    assert writer.losses[-1] < writer.losses[0] - 0.5
    numbers = letter_runs.corpus().validation[:1301]
    assert text.nats_per_letter(writer.run, writer.readout, numbers, rows=13) < 4.2


def test_sizes_are_within_a_hundredth():
    sizes = [
        letter_runs.learn_to_write(kind, 0.01, steps=1, seed=0).parameters
        for kind in WIDTH
    ]
    assert max(sizes) < 1.01 * min(sizes)


def test_every_rate_has_seed_0_and_the_best_has_all():
    rows = letter_runs.stored()
    for length, kinds in STEPS.items():
        for kind in kinds:
            best = letter_runs.tuned_rate(rows, length, kind)
            for rate in RATES[kind]:
                seeds = [r.seed for r in letter_runs.seeds_at(rows, length, kind, rate)]
                assert seeds == (list(SEEDS) if rate == best else [0])


def test_no_rate_was_chosen_at_the_edge_of_what_was_tried():
    rows = letter_runs.stored()
    for length, kinds in STEPS.items():
        for kind in kinds:
            assert letter_runs.tuned_rate(rows, length, kind) in RATES[kind][1:-1]


def test_seconds_of_a_length_are_about_equal():
    for length in STEPS:
        rows = [row for row in letter_runs.stored() if row.length == length]
        kinds = STEPS[length]
        mean = {k: np.mean([r.seconds for r in rows if r.kind == k]) for k in kinds}
        assert max(mean.values()) < 1.6 * min(mean.values())
