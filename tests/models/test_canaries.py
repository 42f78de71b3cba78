"""The planted secrets, what is measured of them, and private training."""

import random
from collections import Counter

import numpy as np
import pytest
import torch

from course_lib.models import canaries, canary_runs
from course_lib.models.canaries import COPIES, TinyTransformer
from course_lib.seeds import set_seed


@pytest.fixture(autouse=True)
def _seeded():
    set_seed(0)


def test_every_number_of_copies_is_planted_and_moves_from_key_to_key():
    real = canaries.text()[0]
    for seed in (0, 3):
        planted = canaries.plant(seed)[len(real) :]
        codes = canaries.draw_secrets(seed)
        keys = zip(canaries.PROMPTS, codes, canaries.times(seed), strict=True)
        for prompt, code, copies in keys:
            assert planted.count(f"{prompt}{code:04d}.") == copies
        assert len(planted) == sum(COPIES)
    assert canaries.times(0) == list(COPIES)
    columns = [canaries.times(seed) for seed in range(7)]
    assert all(sorted(row) == list(COPIES) for row in zip(*columns, strict=True))


def test_text_and_new_text_share_no_paragraph_and_fit_into_a_row():
    learn, new = canaries.text()
    assert (len(learn), len(new)) == (1000, 400)
    assert max(map(len, learn + new)) <= 32
    assert canaries.encode(learn[:7]).shape == (7, 34)


def test_windows_shared_by_two_lines_are_found_wherever_they_are():
    lines = ["the red key is 4719.", "PS: the red key is 4719. Bye", "short", "short"]
    assert canaries.without_repetitions(lines, 12) == [lines[0], "short"]
    assert canaries.without_repetitions(lines[:2], 25) == lines[:2]
    kept = canaries.without_repetitions(canaries.plant(1), canary_runs.WINDOW)
    assert sum(" key is " in line for line in kept) == 6


def test_losses_are_torchs():
    model, ids = TinyTransformer(), canaries.encode(["A list."])
    logits = model(ids[:, :-1])[0, :8]
    target = ids[0, 1:9]
    expected = torch.nn.functional.cross_entropy(logits, target)
    assert torch.allclose(canaries.line_losses(model, ids)[0], expected)
    perplexity = canaries.perplexity(model, ["A list."])
    assert perplexity == pytest.approx(expected.exp().item(), rel=1e-5)


def test_scores_of_all_codes_are_products_of_four_probabilities():
    model, prompt = TinyTransformer(), "The red key is "
    scores = canaries.code_scores(model, prompt)
    for code in (0, 7, 471, 9999):
        ids = canaries.manual.encode(f"\n{prompt}{code:04d}")
        log_p = model(ids[None, :-1])[0].log_softmax(dim=-1)
        one = sum(log_p[t - 1, ids[t]].item() for t in range(len(ids) - 4, len(ids)))
        assert scores[code] == pytest.approx(one, abs=1e-4)
    assert len(scores) == 10_000


def test_membership_of_equal_texts_would_be_a_coin(monkeypatch):
    lines = canaries.text()[0][:53]
    monkeypatch.setattr(canaries, "text", lambda: (lines, lines))
    share = canaries.membership(TinyTransformer())
    assert share == pytest.approx(0.5, abs=0.02)  # ties are lost


def test_gradients_of_each_line_are_those_of_one_backward_pass_each():
    model, ids = TinyTransformer(d=7), canaries.encode(canaries.text()[0][:5])
    each = canaries.gradient_of_each(model, ids)
    for i in range(5):
        loss = canaries.line_losses(model, ids[i : i + 1])[0]
        for g, h in zip(
            each.values(),
            torch.autograd.grad(loss, list(model.parameters())),
            strict=True,
        ):
            assert torch.allclose(g[i], h, atol=1e-6)
    clipped = canaries.clipped_sum(each, 0.1)
    assert torch.stack([g.norm() for g in clipped.values()]).norm() <= 0.5 + 1e-6
    whole = canaries.clipped_sum(each, 1e9)
    assert all(torch.allclose(whole[k], each[k].sum(0), atol=1e-5) for k in each)


def test_training_learns_and_looks_in(monkeypatch):
    monkeypatch.setattr(canaries, "STEPS", 3)
    looked = []
    model = canaries.learn(
        canaries.plant(0), 0, d=7, watch=lambda step, _: looked.append(step)
    )
    assert looked == [0, 1, 2, 3]
    start = canaries.learn_privately(canaries.plant(0), 0, 0.0)
    again = canaries.learn_privately(canaries.plant(0), 0, 0.0)
    assert all(
        torch.equal(a, b)
        for a, b in zip(start.parameters(), again.parameters(), strict=True)
    )
    assert set(canaries.exposures(model, 0)) == set(COPIES)
    assert canaries.extracted(model, 0) == []


def test_the_tables_hold_ten_seeds_of_every_kind():
    kinds = {(r.kind, r.d, r.sigma) for r in canary_runs.read()}
    assert len(kinds) == 16
    for kind, d, sigma in kinds:
        found = canary_runs.runs(kind, d, sigma)
        assert [run.seed for run in found] == list(range(10))
        bits = canary_runs.exposures(found)
        assert bits.shape == (10, 7)
        assert 0 <= bits.min() <= bits.max() <= np.log2(10_000) + 1e-3
        assert all(set(run.recited) <= set(COPIES) - {0} for run in found)
    looks = canary_runs.looks()
    steps = [(look.seed, look.step) for look in looks]
    assert steps == [(s, t) for s in range(10) for t in canary_runs.LOOKS]


def test_what_is_written_is_read_again(tmp_path):
    found, looks = canary_runs.read()[:7], canary_runs.looks()[:5]
    canary_runs.write(found, tmp_path / "runs.tsv")
    canary_runs.write_looks(looks, tmp_path / "looks.tsv")
    assert canary_runs.read(tmp_path / "runs.tsv") == found
    assert canary_runs.looks(tmp_path / "looks.tsv") == looks


def test_one_line_more_changes_as_many_cleaned_lines_as_it_has_windows_and_itself():
    letters = random.Random(0)
    line = lambda: "".join(letters.choices("ab", k=9))  # noqa: E731
    changed = []
    for _ in range(3000):
        text, place = [line() for _ in range(8)], letters.randrange(9)
        more = [*text[:place], line(), *text[place:]]
        before, after = (
            Counter(canaries.without_repetitions(lines, 5)) for lines in (text, more)
        )
        changed.append((before - after).total() + (after - before).total())
    assert 3 < max(changed) <= 5 + 1
