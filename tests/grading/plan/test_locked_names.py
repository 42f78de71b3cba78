"""What a locked cell defines is the judge's, also if students write it before."""

import pytest
from made_course import cell, grade, make_course, notebook, submit

SOLUTION = """def f(x):
    ### BEGIN SOLUTION
    return x * x
    ### END SOLUTION"""
LATER = "def f(x): return x * x  # from here on"
GONE = "# nothing"


def without_answer(made, folder):
    made["cells"] = [
        item
        for item in made["cells"]
        if item["metadata"].get("nbgrader", {}).get("grade_id") != "f"
    ]


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    book = notebook(
        cell("solution", "f", SOLUTION),
        cell("test", "test_f", "assert f(3) == 9", 1),
        cell("locked", "after", LATER),
        cell(
            "solution",
            "g",
            SOLUTION.replace("f(x)", "g(x)").replace("x * x", "f(x) + 1"),
        ),
        cell("test", "test_g", "assert f(4) == 16 and g(3) == f(3) + 1", 1),
    )
    folder = make_course(tmp_path_factory.mktemp("names") / "c", "set", {"p": book})
    right = {"g": "def g(x): return f(x) + 1"}
    liar = "def f(x): return 'no'\nimport builtins"
    submit(folder, "set", "p", "honest", {"f": "def f(x): return x ** 2", **right})
    submit(folder, "set", "p", "dies", {"f": "import os; os._exit(0)", **right})
    submit(folder, "set", "p", "says-nothing", {"f": GONE, **right})
    submit(folder, "set", "p", "has-no-cell", right, without_answer)
    submit(folder, "set", "p", "liar", {"f": liar, "g": "def g(x): return None"})
    result = grade(folder, "set", "--no-feedback")
    assert result.code == 0, result.errors
    return result.rows


@pytest.mark.parametrize(
    ("student", "scores"),
    [
        ("honest", [1.0, 1.0]),
        ("dies", [0.0, 1.0]),
        ("says-nothing", [0.0, 1.0]),
        ("has-no-cell", [0.0, 1.0]),
        ("liar", [0.0, 0.0]),
    ],
)
def test_the_reference_earns_nothing(rows, student, scores):
    assert [q["score"] for q in rows[student]["questions"]] == scores, rows[student]
