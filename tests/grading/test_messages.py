"""Messages: what is sent arrives equal, and anything else is refused."""

import json
import random
from dataclasses import replace

import pytest

from course_tools.grading.limits import MESSAGE_CHARACTERS, Limits
from course_tools.grading.messages import (
    Answer,
    Cell,
    CellAnswer,
    CellReport,
    Command,
    Done,
    Failure,
    Fork,
    Plan,
    Question,
    Record,
    Restart,
    Row,
    SolutionFacts,
    Usage,
    Verdict,
    decode_event,
    encode_event,
)
from course_tools.grading.validate import BadMessage, decode, encode

STREAM = {"output_type": "stream", "name": "stdout", "text": "half \ud800"}
VERDICT = Verdict(
    index=3,
    grade_id="test_f",
    score=2.5,
    seconds=0.125,
    value="2.5",
    outputs=[STREAM],
    failure=Failure("ValueError", 7, "line 1"),
    message="ValueError: no",
    public="a hidden check failed",
    lost="the process ended",
)
EVENTS = [VERDICT, CellReport(2, [STREAM], True, 0.5), Restart("why"), Done()]
FACTS = SolutionFacts(
    names=("f", "V"), operators={"V": ("__add__",)}, defines={"a": ("f",)}
)
CELLS = (
    Cell(0, "locked", "import numpy", "first", defines=("numpy",), judge=True),
    Cell(2, "test", "assert f()", "test_f", 2.5, hidden=(3, 5)),
)
PLAN = Plan(CELLS, 1, Limits(cell_seconds=11, total_seconds=None), FACTS, ("texts",))
ROW = Row("ada", 2.0, 5.0, "graded", 0.1, 0.3, (Question("q", 2, 5, "", ""),), ("odd",))
OTHERS = [
    PLAN,
    Command(fork=Fork("student", Limits(), 2)),
    Answer(usage=Usage(9, 0.5, 1024)),
    Record("digest", "terms", 30.0, ROW),
]


def sent(fields):
    return json.loads(json.dumps(fields))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_arrives_as_it_was_sent(event):
    assert decode_event(sent(encode_event(event))) == event


@pytest.mark.parametrize("message", OTHERS, ids=lambda each: type(each).__name__)
def test_a_message_arrives_as_it_was_sent(message):
    assert decode(type(message), sent(encode(message))) == message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("index", -1),
        ("index", True),
        ("index", 1.0),
        ("grade_id", None),
        ("score", -0.5),
        ("score", "2.5"),
        ("score", float("nan")),
        ("score", float("inf")),
        ("score", 10**400),
        ("outputs", "text"),
        ("outputs", {}),
        ("message", "x" * (MESSAGE_CHARACTERS + 1)),
        ("failure", []),
        ("failure", {"type": "E", "line": None, "traceback": "", "more": 1}),
        ("failure", {"line": None}),
        ("lost", 1),
        ("points", 3),
        ("event", "verdicts"),
        ("event", ["verdict"]),
    ],
)
def test_a_verdict_that_is_none_is_refused(name, value):
    fields = sent(encode_event(VERDICT))
    fields[name] = value
    with pytest.raises(BadMessage):
        decode_event(fields)


@pytest.mark.parametrize("name", [n for n in encode(VERDICT) if n != "outputs"][:4])
def test_nothing_that_is_needed_may_be_missing(name):
    fields = sent(encode_event(VERDICT))
    del fields[name]
    with pytest.raises(BadMessage, match=name):
        decode_event(fields)


def test_roles_are_those_that_there_are():
    fields = sent(encode(replace(PLAN, cells=CELLS[:1])))
    fields["cells"][0]["role"] = "instructor"
    with pytest.raises(BadMessage, match=r"Plan\.cells\.role is none of student"):
        decode(Plan, fields)


ODD = [None, True, -1, 0, 1.5, 10**30, "", "x" * 5000, [], [[]], {}, {"a": {}}, ["x"]]


def changed(value, draw):
    """Return the value with one part of it replaced, somewhere inside."""
    inner = list(value) if isinstance(value, dict) else range(len(value))
    place = draw.choice(list(inner))
    part = value[place]
    if isinstance(part, dict | list) and part and draw.random() < 0.7:
        changed(part, draw)
    elif isinstance(value, dict) and draw.random() < 0.2:
        value["made up"] = value.pop(place)
    else:
        value[place] = draw.choice(ODD)


@pytest.mark.parametrize(
    "message", [*EVENTS[:2], PLAN, CellAnswer([STREAM], True, 1, 1)]
)
def test_any_change_is_refused_or_is_a_message(message):
    """Whatever happens to the fields, no other error and no other type comes out."""
    draw, kind, refused = random.Random(7), type(message), 0
    for _ in range(500):
        fields = sent(encode(message))
        changed(fields, draw)
        try:
            again = decode(kind, fields)
        except BadMessage:
            refused += 1
            continue
        assert isinstance(again, kind)
        assert decode(kind, sent(encode(again))) == again
    assert refused > 200
