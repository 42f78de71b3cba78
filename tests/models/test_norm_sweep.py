"""The sweep of lecture 10: many networks at once are trained as each would be alone."""

import pytest
import torch
import torch.nn.functional as F

from course_lib.data.tasks import order
from course_lib.models.norm_sweep import (
    BATCH,
    LENGTH,
    PLACES,
    RATES,
    SEEDS,
    WARM_UPS,
    DeepReader,
    Setting,
    losses,
    stored,
)

STEPS = 4


def alone(place: str, setting: Setting) -> list[float]:
    """One network, trained with torch's own Adam."""
    torch.manual_seed(setting.seed)
    model, batches = DeepReader(place), torch.Generator().manual_seed(setting.seed)
    adam, history = torch.optim.Adam(model.parameters()), []
    for step in range(STEPS):
        share = min(1.0, (step + 1) / max(1, setting.warm_up))
        adam.param_groups[0]["lr"] = setting.rate * share
        rows, y_star = order(batches, BATCH, LENGTH)
        loss = F.binary_cross_entropy_with_logits(model(rows), y_star)
        adam.zero_grad()
        loss.backward()
        adam.step()
        history.append(loss.item())
    return history


@pytest.mark.parametrize("place", PLACES)
def test_a_pack_is_trained_as_each_network_alone(place):
    settings = [Setting(0.001, 0, 0), Setting(0.003, 3, 1)]
    together = losses(place, settings, STEPS)
    for row, setting in zip(together, settings, strict=True):
        assert row.tolist() == pytest.approx(alone(place, setting), abs=1e-3)


def test_every_combination_is_stored_once():
    rows = stored()
    keys = {(row.place, row.rate, row.warm_up, row.seed) for row in rows}
    assert len(keys) == len(rows)
    assert keys == {
        (p, r, w, s) for p in PLACES for r in RATES for w in WARM_UPS for s in SEEDS
    }


def test_what_the_lecture_says_of_the_sweep_is_what_is_stored():
    def learned(place: str, rate: float, warm_up: int) -> int:
        key = (place, rate, warm_up)
        rows = [r for r in stored() if (r.place, r.rate, r.warm_up) == key]
        return sum(row.loss < 0.3 for row in rows)

    counts = {
        place: [[learned(place, rate, w) for rate in RATES] for w in WARM_UPS]
        for place in PLACES
    }
    assert counts["post-norm"] == [[5, 4, 0, 0], [5, 5, 0, 0]]
    assert counts["pre-norm"] == [[5, 5, 4, 2], [5, 5, 5, 4]]
