"""The benchmark of grading: what it computes from times, and a small real run."""

import json
import re
import sys

import pytest


@pytest.fixture
def benchmark(project_root, monkeypatch):
    monkeypatch.syspath_prepend(str(project_root / "benchmarks"))
    import grading

    yield grading
    for name in ("grading", "grading_class", "grading_otter"):
        sys.modules.pop(name, None)


def cells_of(row):
    return [cell.strip() for cell in row.split("|")[1:-1]]


def test_a_row_holds_medians_and_the_goal_is_for_the_lowest(benchmark):
    def one(stock, wall):
        bare = {60: benchmark.Engine(wall, cpu=12.0, compute=6.0)}
        paged = {60: benchmark.Engine(2 * wall, cpu=18.0, compute=6.0)}
        return benchmark.Round(benchmark.Stock(stock, 3.0, 1.0), bare, paged)

    rounds = [one(4.0, 6.0), one(6.0, 12.0), one(5.0, 6.0)]
    (row,) = benchmark.rows("light", rounds, 2)
    assert cells_of(row) == [
        "light",
        "60",
        "5.00",
        "0.100",
        "0.200",
        "40.0 (30.0 to 50.0)",
        "15.0",
        "50%",
        "ratio 60: missed",
    ]
    (row,) = benchmark.rows("light", [one(6.0, 6.0), one(7.0, 6.0)], 2)
    assert cells_of(row)[-1] == "ratio 60: met"
    # 1.1 * 6 s / 2 cores / 60 + 0.05 s
    (row,) = benchmark.rows("ps2", [one(6.0, 6.2), one(7.0, 6.2)], 2)
    assert cells_of(row)[-1] == "0.105 s each: met"
    (row,) = benchmark.rows("ps2", [one(6.0, 6.2), one(7.0, 6.4)], 2)
    assert cells_of(row)[-1] == "0.105 s each: missed"


def test_one_submission_is_timed_from_pressing_return_on_both_sides(benchmark):
    def one(wall):
        engine = {1: benchmark.Engine(wall, cpu=3.0, compute=0.1)}
        return benchmark.Round(benchmark.Stock(2.5, 2.0, 1.5), engine, engine)

    (row,) = benchmark.rows("light", [one(1.9)], 2)
    assert cells_of(row)[2:6] == ["4.00", "1.900", "1.900", "2.1 (2.1 to 2.1)"]
    assert cells_of(row)[-1] == "2 s, ratio 1: met"
    (row,) = benchmark.rows("light", [one(1.9), one(2.1)], 2)
    assert cells_of(row)[-1] == "2 s, ratio 1: missed"


def test_every_student_leaves_another_answer_open(benchmark):
    import grading_class as made

    book = json.loads(json.dumps(made.light_notebook()))
    solved = made.answers(book["cells"])
    assert list(solved) == ["answer_double", "answer_norm", "answer_mean"]
    for cell in book["cells"]:
        if cell["metadata"]["nbgrader"]["solution"]:
            cell["source"] = "open"
    text = json.loads(made.fill_in(book, solved, "answer_norm"))
    left = [c["metadata"]["nbgrader"]["grade_id"] for c in text["cells"]]
    kept = [c["source"] for c in text["cells"]]
    assert [n for n, s in zip(left, kept, strict=True) if s == "open"] == [
        "answer_norm"
    ]


@pytest.mark.slow
def test_a_small_run_compares_scores_and_prints_a_ratio(benchmark, capsys):
    words = ["--classes", "1", "3", "--stock", "1", "--rounds", "1"]
    benchmark.main(["light", *words])
    first, last = capsys.readouterr().out.splitlines()[-2:]
    # of a difference of two short times the sign is chance on a busy machine
    row = r"\| light \| {} \| -?\d+\.\d+ \| \d+\.\d+ \| \d+\.\d+ \| -?\d+\.\d "
    assert re.match(row.format(1), first), first
    assert re.match(row.format(3), last), last
