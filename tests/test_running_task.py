"""The thread: its split, its metric, its table, its picture."""

import math

import matplotlib.pyplot as plt
import pytest
import torch

from course_lib import running_task
from course_lib.data import number_words
from course_lib.data.vocabulary import EOS, PAD, SOS, trimmed
from course_lib.models.seq2seq import Seq2Seq
from course_lib.running_task import GROUPS, LABELS, Result, by_length, exact, recorded
from course_lib.show import running_task as pictures
from course_lib.show.plots import unlabelled

ROW = Result("07", "plain", 1234, 12.0, 0.5, (0.9, 0.8, 0.6, 0.4, 0.2, 0.1))
OTHER = Result("08", "attention", 2345, 21.0, 0.99, (1.0, 1.0, 1.0, 0.98, 0.97, 1.0))


def test_the_split_holds_the_same_pairs_every_time_and_shares_none():
    data = running_task.load()
    assert (len(data.train), len(data.test)) == (20_000, 1_200)
    assert not set(data.train.numbers) & set(data.test.numbers)
    assert max(data.train.numbers) < 10**9
    assert data.train.numbers[:3] == number_words.load(digits=9).train.numbers[:3]
    assert (len(data.english), len(data.french)) == (43, 49)


def test_every_test_length_is_in_a_group_and_every_group_has_many():
    length = running_task.load().test.source_lengths
    counts = [int(((length >= a) & (length <= b)).sum()) for a, b in GROUPS]
    assert sum(counts) == 1_200
    assert min(counts) >= 50


def test_exact_means_every_word_and_the_end():
    target = torch.tensor([[3, 4, EOS], [5, EOS, PAD], [3, EOS, PAD], [3, EOS, PAD]])
    words = torch.tensor(
        [[3, 4, EOS, PAD], [5, EOS, PAD, PAD], [3, 3, EOS, PAD], [3, PAD, PAD, PAD]]
    )
    assert exact(words, target).tolist() == [True, True, False, False]
    assert exact(target, words).tolist() == [True, True, False, False]
    with pytest.raises(ValueError, match="3 translations for 4 targets"):
        exact(words[:3], target)


def test_shares_by_length():
    right = torch.tensor([True, False, True, True])
    got = by_length(right, torch.tensor([1, 3, 4, 6]), ((1, 3), (4, 6), (7, 9)))
    assert got[:2] == (0.5, 1.0)
    assert math.isnan(got[2])


class Oracle(torch.nn.Module):
    """Knows the first `knows` test pairs by heart, and says <eos> to all others."""

    def __init__(self, knows: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(7))
        test, self.knows = running_task.load().test, knows
        self.answers = torch.nn.functional.pad(test.target, (0, 24), value=PAD)

    def decoder(self, source):
        def step(previous, state):
            row, t = state
            word = torch.where(row < self.knows, self.answers[row, t], EOS)
            return torch.eye(60)[word].log(), (row, t + 1)

        rows = torch.arange(len(source))
        return step, (rows, torch.zeros_like(rows))


def test_an_oracle_is_measured_right():
    assert running_task.measure("07", "oracle", Oracle(1_200), 3.0) == Result(
        "07", "oracle", 7, 3.0, 1.0, (1.0,) * len(GROUPS)
    )
    half = running_task.measure("07", "half", Oracle(600), 3.0)
    assert half.exact == 0.5
    assert 0.3 < min(half.by_length) <= max(half.by_length) < 0.7


def test_fit_lowers_the_loss_and_repeats():
    data = number_words.load(train=211, test=53, digits=3)
    runs = []
    for _ in range(2):
        torch.manual_seed(1)
        model = Seq2Seq(len(data.english), len(data.french), 8, 16)
        runs.append(running_task.fit(model, data.train, 40, seed=5, batch=16))
    assert runs[0] == runs[1]
    assert sum(runs[0][-5:]) < 0.8 * sum(runs[0][:5])
    words = running_task.translate(model, data.test.source, max_length=5)
    assert words.shape[1] <= 5
    assert SOS not in words[:, 0]


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
    second = Result("07", "plain", 1234, 14.0, 0.7, (0.7, 0.8, 0.6, 0.4, 0.2, 0.3))
    row = running_task.mean([ROW, second])
    assert (row.model, row.parameters, row.seconds) == ("plain", 1234, 13.0)
    assert row.exact == pytest.approx(0.6)
    assert row.by_length == pytest.approx((0.8, 0.8, 0.6, 0.4, 0.2, 0.2))
    with pytest.raises(ValueError, match="plain.*attention"):
        running_task.mean([ROW, OTHER])


def test_the_table_is_written_read_and_rows_replaced(tmp_path):
    path = tmp_path / "running_task.tsv"
    assert recorded(path) == []
    running_task.record(ROW, path)
    running_task.record(OTHER, path)
    assert recorded(path) == [ROW, OTHER]
    better = Result("07", "plain", 1234, 15.0, 0.6, ROW.by_length)
    running_task.record(better, path)
    assert recorded(path) == [better, OTHER]


def test_the_table_as_text():
    lines = running_task.table([ROW, OTHER]).splitlines()
    assert lines[1].split() == ["model", "parameters", "seconds", "exact", *LABELS]
    shares = ["90%", "80%", "60%", "40%", "20%", "10%"]
    assert lines[2].split() == ["plain", "1234", "12", "50%", *shares]
    assert lines[3].split()[:4] == ["attention", "2345", "21", "99%"]
    assert len({len(line) for line in lines[1:]}) == 1  # columns line up


def test_the_kept_table_is_sound():
    rows = recorded()
    assert rows, "running_task.tsv is empty"
    assert len({(r.lecture, r.model) for r in rows}) == len(rows)
    for row in rows:
        assert 0 <= min(row.by_length) <= row.exact <= max(row.by_length) <= 1


def test_the_picture_shows_every_model_and_says_what_one_sees():
    second = Result("07", "plain", 1234, 12.0, 0.5, (0.7, 0.8, 0.6, 0.4, 0.2, 0.3))
    fig, alt = pictures.by_length([ROW, second, OTHER])
    ax = fig.axes[0]
    means = [line.get_ydata() for line in ax.lines if line.get_linestyle() == "-"]
    assert [len(mean) for mean in means] == [6, 6]
    assert means[0][0] == pytest.approx(80)
    assert "plain falls from 80 to 20 per cent" in alt
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["plain", "attention"]
    assert unlabelled(fig) == []
    plt.close(fig)
    with pytest.raises(ValueError, match="no results"):
        pictures.by_length([])
