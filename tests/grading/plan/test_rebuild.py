"""Submitted notebooks become trusted ones, as nbgrader's own preprocessors would."""

import json

import pytest
from made_course import cell, make_course, notebook, released
from nbgrader.api import Gradebook
from nbgrader.preprocessors import (
    ClearOutput,
    DeduplicateIds,
    OverwriteCells,
    OverwriteKernelspec,
)

from course_tools.grading.limits import Limits
from course_tools.grading.messages import Plan
from course_tools.grading.pages.outputs import clean
from course_tools.grading.plan import answer_key, planning, rebuild, solution_facts
from course_tools.grading.validate import decode, encode

ANSWER = "def f(x):\n    ### BEGIN SOLUTION\n    y = base\n    ### END SOLUTION"
TEST = "assert f(1) == 3\n### BEGIN HIDDEN TESTS\n1\n### END HIDDEN TESTS"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    made = notebook(
        cell("plain", None, "import numpy as np\nhelper = 1"),
        cell("locked", "setup", "base = 3"),
        cell("solution", "f", ANSWER),
        cell("test", "test_f", TEST, 2),
        cell("manual", "why", "answer", 3),
    )
    folder = tmp_path_factory.mktemp("sanitise") / "course"
    return make_course(folder, "set1", {"problem": made})


@pytest.fixture(scope="module")
def key(course):
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        return answer_key.read(gradebook, "set1", str(course / "source" / "set1"))[
            "problem"
        ]


def by_nbgrader(course, made):
    import nbformat

    resources = {"nbgrader": {"notebook": "problem", "assignment": "set1"}}
    resources["nbgrader"]["db_url"] = f"sqlite:///{course}/gradebook.db"
    made = nbformat.reads(json.dumps(made), as_version=4)
    for step in (ClearOutput, DeduplicateIds, OverwriteKernelspec, OverwriteCells):
        made, _ = step().preprocess(made, resources)
    return made


def by_engine(made, key, incidents=None):
    incidents = [] if incidents is None else incidents
    cells = rebuild.parse(json.dumps(made).encode())
    return rebuild.rebuild(cells, key, incidents)


def edit_answer(made):
    made["cells"][2]["source"] = "def f(x): return 3"


def edit_test(made):
    made["cells"][3]["source"] = "pass"


def edit_locked(made):
    made["cells"][1]["source"] = "base = 4"


def change_points(made):
    made["cells"][3]["metadata"]["nbgrader"]["points"] = 50


def add_cell(made):
    extra = {"cell_type": "code", "source": "1", "metadata": {}, "outputs": []}
    made["cells"].insert(1, dict(extra, execution_count=None, id="extra"))


def duplicate_test(made):
    made["cells"].insert(0, dict(made["cells"][3], id="again"))


def store_outputs(made):
    made["cells"][3]["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": "x"}
    ]


CHANGES = [
    lambda made: None,
    edit_answer,
    edit_test,
    edit_locked,
    change_points,
    add_cell,
    duplicate_test,
    store_outputs,
]


@pytest.mark.parametrize("change", CHANGES)
def test_same_notebook_as_from_nbgrader(course, key, change):
    made = released(course, "set1", "problem")
    change(made)
    ours, theirs = by_engine(made, key), by_nbgrader(course, made)
    assert len(ours.cells) == len(theirs.cells)
    for mine, other in zip(ours.cells, theirs.cells, strict=True):
        assert mine.source == other.source
        assert mine.cell_type == other.cell_type
        assert mine.get("outputs") == other.get("outputs")
        expected = other.metadata.get("nbgrader", {})
        if expected:
            assert mine.metadata.nbgrader == {**expected, "cell_type": mine.cell_type}
        else:
            assert "nbgrader" not in mine.metadata
    assert ours.metadata.kernelspec == theirs.metadata.kernelspec


def test_deleted_cells_come_back_in_their_place(course, key):
    made = released(course, "set1", "problem")
    del made["cells"][3], made["cells"][1]
    incidents = []
    rebuilt = by_engine(made, key, incidents)
    names = [c.metadata.get("nbgrader", {}).get("grade_id") for c in rebuilt.cells]
    assert [n for n in names if n] == ["setup", "f", "test_f", "why"]
    assert incidents == ["cell setup was missing", "cell test_f was missing"]


def test_honest_notebooks_have_no_incidents(course, key):
    incidents = []
    made = released(course, "set1", "problem")
    edit_answer(made)
    by_engine(made, key, incidents)
    assert incidents == []


def test_roles_of_cells(course, key):
    made = by_engine(released(course, "set1", "problem"), key)
    plan = planning.make_plan(made, key, Limits())
    roles = [(c.grade_id, c.role, bool(c.hidden)) for c in plan.cells]
    assert roles == [
        (None, "student", False),
        ("setup", "locked", False),
        ("f", "student", False),
        ("test_f", "test", True),
    ]
    assert plan.solution.imports == ("import numpy as np",)
    assert plan.solution.functions == ("f",)
    assert decode(Plan, json.loads(json.dumps(encode(plan)))) == plan


def test_old_notebook_formats_are_read():
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}}
    inner = {"cell_type": "code", "input": "x = 1", "outputs": [], "language": "python"}
    old["worksheets"] = [{"cells": [inner]}]
    (found,) = rebuild.parse(json.dumps(old).encode())
    assert found.source == "x = 1"


def few(monkeypatch):
    monkeypatch.setattr(rebuild, "NOTEBOOK_VALUES", 1000)


@pytest.mark.parametrize("filling", ["{},", "[],", "1,", '"",', '{"a":{}},', '"\\"",'])
@pytest.mark.parametrize("version", [3, 4])
def test_a_small_file_that_would_take_much_memory_is_not_read(
    monkeypatch, filling, version
):
    few(monkeypatch)
    text = f'{{"nbformat": {version}, "cells": [], "x": [{filling * 1001} 0]}}'
    with pytest.raises(rebuild.Unreadable, match="more than 1,000 values"):
        rebuild.parse(text.encode())


def test_commas_within_texts_do_not_count(monkeypatch):
    few(monkeypatch)
    source = 'x = [1, 2, {"a": "\\\\"}]\n' * 1000
    (cell,) = rebuild.parse(
        json.dumps({"cells": [{"cell_type": "code", "source": source}]}).encode()
    )
    assert cell.source == source


def test_another_encoding_hides_nothing():
    with pytest.raises(rebuild.Unreadable, match="not a notebook: UnicodeDecodeError"):
        rebuild.parse('{"cells": []}'.encode("utf-16"))


def test_what_the_instructor_defines():
    source = """
import numpy as np
from a import b as c
x, (y, *z) = 1, (2, 3)
for i in range(3): w = i
with open("f") as file: pass
def f(local): inner = 1
class V:
    size: int = 3
    def __add__(self, o): self.total = 1
    def __eq__(self, o): return True
[hidden for hidden in x]
%matplotlib inline
"""
    assert solution_facts.defined_names(solution_facts.parse(source)) >= {
        "np", "c", "x", "y", "z", "i", "w", "file", "f", "V",
    }  # fmt: skip
    known = solution_facts.learn([("a", source)], ["import torch\ny = 1"])
    assert known.functions == ("V", "f")
    own = ("import numpy as np", "from a import b as c")
    assert known.imports == (*own, "import torch")  # the judge's, never the student's
    assert not {"np", "c"} & {*known.names, *known.defines["a"]}
    assert known.allows("V", "__add__")
    assert known.allows("V", "__ne__")
    assert not known.allows("V", "__sub__")
    assert not known.allows("Other", "__add__")
    assert {"size", "total"} <= set(known.members)


def test_unparsable_cells_define_nothing():
    assert solution_facts.defined_names(solution_facts.parse("def f(:")) == set()


@pytest.mark.parametrize(
    "reported",
    [
        None,
        "x",
        [None, 3, {}],
        [{"output_type": "stream", "text": 3}],
        [{"output_type": "display_data", "data": {"text/html": 3, "x": "y"}}],
        [{"output_type": "display_data", "data": {"application/javascript": "1"}}],
        [{"output_type": "update_display_data", "data": {"text/plain": "x"}}],
    ],
)
def test_odd_outputs_are_left_out(reported):
    assert clean(reported, 1000) == ([], 1000)


def test_scripts_are_taken_out_of_html():
    html = "<table><tr><td onclick='x()'>1</td></tr></table><script>x()</script>"
    reported = [{"output_type": "display_data", "data": {"text/html": html}}]
    (output,), _ = clean(reported, 10_000)
    shown = output.data["text/html"]
    assert "<td>1</td>" in shown
    assert "onclick" not in shown
    assert "<script" not in shown
