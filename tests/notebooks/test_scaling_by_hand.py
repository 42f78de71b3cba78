"""What lecture 12 says of its fit in words, computed from its own cells."""

import nbformat
import numpy as np
import pytest
from lectures import NOTEBOOKS
from scipy.optimize import least_squares

from course_lib.models import scaling_runs
from course_lib.models.scaling_runs import HELD_OUT, WIDTHS


@pytest.fixture(scope="module")
def page() -> dict:
    """The law, its fit, and the operations of a split, as the page defines them."""
    nb = nbformat.read(NOTEBOOKS / "12_scaling.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    names: dict = {"np": np, "least_squares": least_squares}
    exec(source["law"], names)
    splits = source["budget-figure"]
    begin, end = splits.index("def flops"), splits.index("spend =")
    exec(splits[begin:end], names)
    return names


@pytest.fixture(scope="module")
def small() -> list[scaling_runs.Row]:
    return [row for row in scaling_runs.by_rule() if row.width in WIDTHS]


@pytest.mark.parametrize(("floor", "power"), [(True, 0.48), (False, 0.14)])
def test_how_the_best_size_grows(page, small, floor, power):
    _, _, alpha, _, beta = page["fit"](small, floor)
    assert beta / (alpha + beta) == pytest.approx(power, abs=0.006)


@pytest.mark.parametrize(("C", "cost"), [(1e11, 0.03), (1e12, 0.02)])
def test_what_half_or_twice_the_best_size_costs(page, small, C, cost):
    p = page["fit"](small)
    loss = lambda N: page["law"](p, N, C / page["flops"](N, 1.0))  # noqa: E731
    sizes = np.geomspace(1e3, 1e6, 5_000)
    best = sizes[loss(sizes).argmin()]
    for N in (best / 2, 2 * best):
        assert loss(N) - loss(best) == pytest.approx(cost, abs=0.006)


def test_more_starts_find_no_better_fit(page, small):
    """Sixty random starts end where the best of the page's four did, or higher."""
    N, D, L = np.array([(r.size, r.letters, r.test) for r in small], dtype=float).T
    miss = lambda q: np.log(page["law"](np.exp(q), N, D) / L)  # noqa: E731
    rng = np.random.default_rng(0)
    starts = rng.normal([0, -1, -1, -1, -1], [0.7, 1, 0.7, 1, 0.7], (60, 5))
    found = min(least_squares(miss, start).cost for start in starts)
    assert (miss(np.log(page["fit"](small))) ** 2).sum() / 2 < found + 1e-9


def test_a_straight_line_is_too_hopeful_between_any_two_sizes():
    """Lecture 12 names two of these lines; here are all that end in width 64."""
    for seed in (0, 1):
        rows = scaling_runs.by_rule(seed=seed)
        loss = {(r.width, r.letters): r.test for r in rows}
        size = {r.width: r.size for r in rows}
        for row in rows:
            if row.width != HELD_OUT:
                continue
            for narrow in (16, 24, 32, 48):
                one, two = (loss[width, row.letters] for width in (narrow, 64))
                slope = np.log(two / one) / np.log(size[64] / size[narrow])
                said = two * (size[HELD_OUT] / size[64]) ** slope
                assert said < row.test
                if (seed, narrow) == (0, 16):
                    assert 0.075 < row.test - said < 0.135
