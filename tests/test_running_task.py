"""The thread: its split, its metric, its table, its picture."""

import math
from dataclasses import replace
from itertools import pairwise

import matplotlib.pyplot as plt
import pytest
import torch

from course_lib import running_task
from course_lib.data import number_words
from course_lib.data.number_words import LONGEST, words
from course_lib.data.vocabulary import EOS, PAD, SOS, trimmed
from course_lib.models.seq2seq import Seq2Seq
from course_lib.running_task import (
    GROUPS,
    LONGER_GROUPS,
    Result,
    by_length,
    exact,
    matched,
    recorded,
)
from course_lib.show import running_task as pictures
from course_lib.show.plots import unlabelled

FALLS = (0.9, 0.8, 0.6, 0.4, 0.2, 0.1)
SIZE = {"pairs": 22_400, "steps": 700}
ROW = Result("07", "plain", 1234, 12.0, 0.5, FALLS, 0.02, (0.04, 0.0), **SIZE)
STAYS = (1.0, 1.0, 1.0, 0.98, 0.97, 1.0)
OTHER = Result("08", "attention", 2345, 21.0, 0.99, STAYS, 0.6, (0.7, 0.5), **SIZE)
AGAIN = Result(
    *("07", "plain", 1234, 14.0, 0.7, (0.7, 0.8, 0.6, 0.4, 0.2, 0.3)),
    *(0.04, (0.06, 0.02)),
    **SIZE,
    seeds=(1,),
)


def test_the_split_holds_the_same_pairs_every_time_and_shares_none():
    data = running_task.load()
    assert (len(data.train), len(data.test)) == (20_000, 1_200)
    assert not set(data.train.numbers) & set(data.test.numbers)
    again = number_words.load_lengths()
    assert data.train.numbers == again.train.numbers
    assert data.longer.numbers == again.longer.numbers
    assert (len(data.english), len(data.french)) == (44, 51)


def test_longer_is_longer_than_all_training_and_made_of_known_words_and_pairs():
    data = running_task.load()
    assert len(data.longer) == 600
    assert max(data.train.source_lengths) == max(data.test.source_lengths) == LONGEST
    assert min(data.longer.source_lengths) == LONGEST + 1
    for language in number_words.LANGUAGES:
        seen, needed = (
            {
                pair
                for number in numbers
                for name in (("<sos>", *words(number, language), "<eos>"),)
                for pair in pairwise(name)
            }
            for numbers in (data.train.numbers, data.longer.numbers)
        )
        assert needed <= seen  # every word that follows another has followed it before


def test_the_longest_translation_fits_into_the_longest_output():
    data = running_task.load()
    assert data.longer.target.shape[1] <= running_task.LONGEST_OUTPUT


def test_every_test_length_is_in_a_group_and_every_group_has_many():
    data = running_task.load()
    for pairs, groups in ((data.test, GROUPS), (data.longer, LONGER_GROUPS)):
        length = pairs.source_lengths
        counts = [int(((length >= a) & (length <= b)).sum()) for a, b in groups]
        assert sum(counts) == len(pairs)
        assert min(counts) >= 50


def test_exact_means_every_word_and_the_end():
    target = torch.tensor([[3, 4, EOS], [5, EOS, PAD], [3, EOS, PAD], [3, EOS, PAD]])
    said = torch.tensor(
        [[3, 4, EOS, PAD], [5, EOS, PAD, PAD], [3, 3, EOS, PAD], [3, PAD, PAD, PAD]]
    )
    assert exact(said, target).tolist() == [True, True, False, False]
    assert exact(target, said).tolist() == [True, True, False, False]
    with pytest.raises(ValueError, match="3 translations for 4 targets"):
        exact(said[:3], target)


def test_shares_by_length():
    right = torch.tensor([True, False, True, True])
    got = by_length(right, torch.tensor([1, 3, 4, 6]), ((1, 3), (4, 6), (7, 9)))
    assert got[:2] == (0.5, 1.0)
    assert math.isnan(got[2])


class Oracle(torch.nn.Module):
    """Knows the first `knows` pairs of each test, and says <eos> to all others."""

    def __init__(self, knows: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(7))
        data, self.knows = running_task.load(), knows
        self.answers = {
            len(test): torch.nn.functional.pad(test.target, (0, 28), value=PAD)
            for test in (data.test, data.longer)
        }

    def decoder(self, source):
        answers = self.answers[len(source)]

        def step(previous, state):
            row, t = state
            word = torch.where(row < self.knows, answers[row, t], EOS)
            return torch.eye(60)[word].log(), (row, t + 1)

        rows = torch.arange(len(source))
        return step, (rows, torch.zeros_like(rows))


def test_an_oracle_is_measured_right():
    how = {"pairs": 64, "steps": 2, "seeds": (5,)}
    everything = running_task.measure("07", "oracle", Oracle(1_200), 3.0, **how)
    assert everything == Result(
        *("07", "oracle", 7, 3.0, 1.0, (1.0,) * len(GROUPS)),
        *(1.0, (1.0,) * len(LONGER_GROUPS)),
        **how,
    )
    half = running_task.measure("07", "half", Oracle(300), 3.0)
    assert (half.exact, half.longer) == (0.25, 0.5)
    assert 0.15 < min(half.by_length) <= max(half.by_length) < 0.4
    assert 0.3 < min(half.longer_by_length) <= max(half.longer_by_length) < 0.7


def test_trained_tells_how_it_trained(monkeypatch):
    monkeypatch.setattr(running_task, "fit", lambda *given: list(given[2:]))
    result, history = running_task.trained("08", "x", Oracle(3), 11, 5, 13, 0.02)
    assert history == [11, 5, 13, 0.02]
    assert (result.pairs, result.steps, result.seeds) == (11 * 13, 11, (5,))


def test_fit_lowers_the_loss_and_repeats():
    data = number_words.load(train=211, test=53, digits=3)
    runs = []
    for _ in range(2):
        torch.manual_seed(1)
        model = Seq2Seq(len(data.english), len(data.french), 8, 16)
        runs.append(running_task.fit(model, data.train, 40, seed=5, batch=16))
    assert runs[0] == runs[1]
    assert sum(runs[0][-5:]) < 0.8 * sum(runs[0][:5])
    said = running_task.translate(model, data.test.source, max_length=5)
    assert said.shape[1] <= 5
    assert SOS not in said[:, 0]


def loop_written_out(model, pairs, steps, seed, batch, lr):
    """What `fit` does, with nothing of the course's training loop."""
    optimiser = torch.optim.Adam(model.parameters(), lr=lr)
    cycle = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, lr, total_steps=steps, pct_start=0.1
    )
    generator, history = torch.Generator().manual_seed(seed), []
    for _ in range(steps):
        rows = torch.randint(len(pairs), (batch,), generator=generator)
        loss = model.loss(trimmed(pairs.source[rows]), trimmed(pairs.target[rows]))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        cycle.step()
        history.append(loss.item())
    return history


def test_fit_is_the_loop_written_out_bit_for_bit():
    data = number_words.load(train=211, test=53, digits=3)
    runs, weights = [], []
    for run in (running_task.fit, loop_written_out):
        torch.manual_seed(1)
        model = Seq2Seq(len(data.english), len(data.french), 5, 7)
        runs.append(run(model, data.train, 23, seed=5, batch=11, lr=0.03))
        weights.append(model.state_dict())
    assert runs[0] == runs[1]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_the_mean_of_several_runs_is_one_row():
    row = running_task.mean([ROW, AGAIN])
    assert (row.model, row.parameters, row.seconds) == ("plain", 1234, 13.0)
    assert row.exact == pytest.approx(0.6)
    assert row.by_length == pytest.approx((0.8, 0.8, 0.6, 0.4, 0.2, 0.2))
    assert row.longer == pytest.approx(0.03)
    assert row.longer_by_length == pytest.approx((0.05, 0.01))
    assert row.seeds == (0, 1)
    with pytest.raises(ValueError, match=r"plain.*attention"):
        running_task.mean([ROW, OTHER])
    with pytest.raises(ValueError, match="not runs of one model"):
        running_task.mean([ROW, replace(AGAIN, steps=300)])


def test_models_are_matched_in_steps_pairs_and_parameters():
    assert matched([ROW, replace(ROW, model="reversed", parameters=1290)])
    assert not matched([ROW, replace(ROW, parameters=1300)])
    assert not matched([ROW, replace(ROW, steps=701)])
    assert not matched([ROW, replace(ROW, pairs=20_000)])


def test_the_table_is_written_read_and_runs_replaced(tmp_path):
    path = tmp_path / "running_task.tsv"
    assert recorded(path) == []
    for result in (OTHER, AGAIN, ROW):
        running_task.record(result, path)
    assert running_task.runs(path) == [ROW, AGAIN, OTHER]
    assert recorded(path) == [running_task.mean([ROW, AGAIN]), OTHER]
    assert running_task.so_far("07", path) == recorded(path)[:1]
    better = replace(ROW, seconds=15.0, exact=0.6)
    running_task.record(better, path)
    assert running_task.runs(path) == [better, AGAIN, OTHER]
    with pytest.raises(ValueError, match=r"one run at a time.*\(0, 1\)"):
        running_task.record(running_task.mean([ROW, AGAIN]), path)


def test_the_table_as_text():
    lines = running_task.table([running_task.mean([ROW, AGAIN]), OTHER]).splitlines()
    titles = ["parameters", "pairs", "steps", "seconds", "runs", "seen", "longer"]
    assert lines[1].split() == ["model", *titles]
    assert lines[2].split() == ["plain", "1,234", "22,400", "700", "13", "2", "60", "3"]
    numbers = ["2,345", "22,400", "700", "21", "1", "99", "60"]
    assert lines[3].split() == ["attention", *numbers]
    assert len({len(line) for line in lines[1:]}) == 1  # columns line up


def test_the_kept_table_is_sound():
    kept = running_task.runs()
    assert kept, "running_task.tsv is empty"
    assert len({(r.lecture, r.model, r.seeds) for r in kept}) == len(kept)
    for row in kept:
        assert row.pairs % row.steps == 0 < row.seconds
        assert 0 <= min(row.by_length) <= row.exact <= max(row.by_length) <= 1
        inside = row.longer_by_length
        assert 0 <= min(inside) <= row.longer <= max(inside) <= 1


def test_the_picture_shows_every_model_and_says_what_one_sees():
    fig, alt = pictures.by_length([ROW, AGAIN, OTHER])
    ax = fig.axes[0]
    means = [line.get_ydata() for line in ax.lines if line.get_linestyle() == "-"]
    assert [len(mean) for mean in means] == [8, 8]
    assert means[0][0] == pytest.approx(80)
    assert means[0][-1] == pytest.approx(1)
    assert "plain goes from 80 to 20 per cent" in alt
    assert "and 1 beyond" in alt
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["plain", "attention"]
    assert unlabelled(fig) == []
    plt.close(fig)


def test_both_tests_side_by_side_show_every_run():
    fig, alt = pictures.two_tests([ROW, AGAIN, OTHER])
    ax = fig.axes[0]
    points = {
        mark: sorted(
            x
            for line in ax.lines
            if line.get_marker() == mark
            for x in line.get_xdata()
        )
        for mark in ("o", "D")
    }
    assert points["o"] == pytest.approx([50, 70, 99])
    assert points["D"] == pytest.approx([2, 4, 60])
    assert "plain 60 and 3; attention 99 and 60" in alt
    assert unlabelled(fig) == []
    plt.close(fig)


def test_pictures_of_nothing_and_of_too_many_are_refused():
    many = [replace(ROW, model=f"model {k}") for k in range(15)]
    for draw in (pictures.by_length, pictures.two_tests):
        with pytest.raises(ValueError, match="no results"):
            draw([])
        with pytest.raises(ValueError, match="15 models"):
            draw(many)
        plt.close("all")
