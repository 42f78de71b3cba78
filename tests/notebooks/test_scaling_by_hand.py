"""What lecture 12 says of its fit in words, computed from its own cells."""

from dataclasses import replace

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


@pytest.fixture(scope="module")
def rivals(page) -> dict:
    """The rivals of the law, as the page defines them."""
    nb = nbformat.read(NOTEBOOKS / "12_scaling.ipynb", as_version=4)
    source = next(cell.source for cell in nb.cells if cell.id == "games")
    exec(source.partition("\n\n\nrivals = ")[0], page)
    return page


def test_a_straight_line_is_too_hopeful_for_the_width_held_out(rivals):
    for seed in (0, 1):
        rows = scaling_runs.by_rule(seed=seed)
        for narrow in (16, 24, 32, 48):
            guess = rivals["straight"]([r for r in rows if r.width in (narrow, 64)])
            for row in rows:
                assert row.width != HELD_OUT or guess(row) < row.test


def test_without_width_8_the_parabola_is_as_near_as_the_law(rivals):
    for seed in (0, 1):
        rows = scaling_runs.by_rule(seed=seed)
        wider = [row for row in rows if row.width in WIDTHS and row.width > 8]
        last = [row for row in rows if row.width == HELD_OUT]
        by_law, parabola = (
            np.sqrt(np.mean([(guess(row) - row.test) ** 2 for row in last]))
            for guess in (rivals["by_law"](wider), rivals["parabola"](wider))
        )
        assert parabola < by_law + 0.002


def test_the_parabola_has_a_lowest_point(rivals):
    for seed in (0, 1):
        rows = scaling_runs.by_rule(seed=seed)
        for width in (48, 64, HELD_OUT):
            guess = rivals["parabola"]([row for row in rows if row.width < width])
            losses = [
                guess(replace(rows[-1], size=int(N)))
                for N in np.geomspace(1e3, 1e7, 50)
            ]
            assert 0 < np.argmin(losses) < 49


def test_three_widths_are_too_few_for_the_law(rivals):
    rows = scaling_runs.by_rule()
    known = [row for row in rows if row.width < 32]
    wanted = [row for row in rows if row.width == 32]
    by_law, as_next = (
        np.sqrt(np.mean([(guess(row) - row.test) ** 2 for row in wanted]))
        for guess in (rivals["by_law"](known), rivals["as_next"](known))
    )
    assert by_law == pytest.approx(0.09, abs=0.005)
    assert as_next == pytest.approx(0.02, abs=0.005)
