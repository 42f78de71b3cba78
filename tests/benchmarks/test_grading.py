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


def test_a_row_holds_medians_and_the_goal(benchmark):
    rounds = [
        benchmark.Round(stock=4.0, stock_cpu=3.0, ours=0.1, ours_cpu=0.2, compute=0.1),
        benchmark.Round(stock=6.0, stock_cpu=3.0, ours=0.2, ours_cpu=0.2, compute=0.1),
        benchmark.Round(stock=5.0, stock_cpu=3.0, ours=0.1, ours_cpu=0.2, compute=0.1),
    ]
    cells = [cell.strip() for cell in benchmark.line("set", rounds, 2).split("|")[1:-1]]
    # 1.25 * 0.1 s / 2 cores + 0.1 s / 2 cores = 0.1125 s
    assert cells == [
        "set",
        "5.00",
        "",
        "0.100",
        "40.0 (30.0 to 50.0)",
        "15.0",
        "50%",
        "0.113: met",
    ]
    slow = [r.__class__(r.stock, 3.0, 0.12, 0.2, 0.1, 7.0) for r in rounds]
    assert "| 7.00 |" in benchmark.line("set", slow, 2)
    assert "0.113: missed" in benchmark.line("set", slow, 2)


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
    words = ["--submissions", "3", "--stock", "1", "--rounds", "1"]
    benchmark.main(["light", *words])
    last = capsys.readouterr().out.splitlines()[-1]
    # of a difference of two short times the sign is chance on a busy machine
    row = r"\| light \| -?\d+\.\d+ \|  \| \d+\.\d+ \| -?\d+\.\d "
    assert re.match(row, last), last
