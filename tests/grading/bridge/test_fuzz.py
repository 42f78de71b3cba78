"""Answers that are changed at random: the judge reads them, or says that it cannot.

Fixed seeds and a fixed number of them, so that every run tries the same.
"""

import copy
import json
import random
import threading
import time

import numpy as np
import pytest

from course_tools.grading.bridge import wire
from course_tools.grading.bridge.wire import Wire
from course_tools.grading.judge.judge_link import JudgeLink, StudentLost
from course_tools.grading.judge.known_errors import is_harmless
from course_tools.grading.judge.namespace import JudgeNamespace
from course_tools.grading.judge.proxies import StandIn
from course_tools.grading.judge.rule_keeper import RuleKeeper
from course_tools.grading.limits import Limits
from course_tools.grading.messages import SolutionFacts
from course_tools.grading.rules import Rules

ROUNDS = 150
THING = {"kind": "object", "name": "", "type": "V", "mro": ["__main__.V"]}
RAISED = {
    "type": "E",
    "bases": ["__main__.E", "builtins.ValueError"],
    "handle": 3,
    "text": "no",
    "traceback": "",
    "state": {"why": 1},
}
ANSWERS = {
    "plain": {"value": ["l", [1, 2.5, "x", None, True]]},
    "array": {"value": ["a", "<f8", [2], 0, True]},
    "tensor": {"value": ["T", "float64", [2], 0, 2, 7, None]},
    "graph": {"value": ["T", "float64", [2], 0, 1, 0, None], "tape": 4},
    "tuple": {"value": ["nt", "R", ["a", "b"], [1, ["d", [["k", ["t", [2]]]]]]]},
    "thing": {"value": ["h", 5, {**THING, "plain": 3, "member": "A"}]},
    "error": {"error": RAISED},
    "table": {
        "value": [
            "pd",
            "series",
            [None, ["range", None, [0, 1, 1]], ["object", ["l", [1]]]],
        ]
    },
    "standard": {"value": ["std", "fraction", [1, 2]]},
    "beside": {
        "value": 1,
        "printed": "p",
        "warnings": [["UserWarning", "w"]],
        "changes": [[0, ["l", [3]]]],
        "mirrors": [[1, None, False, None]],
    },
}
ODD = [
    None,
    True,
    -1,
    0,
    1.5,
    10**30,
    "",
    "h",
    "cb",
    "x" * 99,
    [],
    [[]],
    {},
    ["same", 0],
]
ODD += ["__class__", "builtins.SystemExit", ["ty", "builtins:exec"], ["cb", -1]]
ODD += [["h", 1, {}], "unittest.case.SkipTest", float("nan"), ["l", [["l", []]]]]


def changed(value, draw):
    """Replace a part of the value, somewhere inside."""
    places = list(value) if isinstance(value, dict) else range(len(value))
    place = draw.choice(list(places)) if places else None
    if place is None:
        return
    part = value[place]
    if isinstance(part, dict | list) and part and draw.random() < 0.75:
        changed(part, draw)
    elif isinstance(value, dict) and draw.random() < 0.2:
        value[draw.choice(["odd", "mro", "value", "error"])] = value.pop(place)
    else:
        value[place] = copy.deepcopy(draw.choice(ODD))


class Peer(threading.Thread):
    """Gives the answers it was given, whatever is asked."""

    def __init__(self, connection, answers):
        super().__init__(daemon=True)
        self.wire, self.answers = Wire(connection, 1 << 26), answers

    def run(self):
        for fields in self.answers:
            self.wire.receive()
            self.wire.send({"kind": "answer", **fields}, [np.ones(2).tobytes()])


def ask(fields):
    """Return what the judge makes of one answer to a call."""
    ours, theirs = wire.pair()
    facts = SolutionFacts(names=("f",), functions=("f",))
    names = JudgeNamespace(facts)
    link = JudgeLink(Wire(ours, 1 << 26), Limits(), facts, names, RuleKeeper(Rules()))
    link.wire.deadline = time.monotonic() + 20
    Peer(theirs, [fields]).start()
    try:
        return link.operate("len", [[1, 2]])
    finally:
        ours.close()
        theirs.close()


def is_data(value):
    """Made of what the judge builds by itself."""
    if isinstance(value, list | tuple | set | dict):
        parts = value.items() if isinstance(value, dict) else value
        return all(map(is_data, parts))
    module = type(value).__module__.partition(".")[0]
    known = ("builtins", "numpy", "torch", "pandas", "fractions", "collections")
    return issubclass(type(value), StandIn) or module in known


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ANSWERS)
def test_any_answer_is_data_a_known_error_or_none(name):
    draw, lost, read, raised = random.Random(name), 0, 0, []
    for _ in range(ROUNDS):
        fields = json.loads(json.dumps(ANSWERS[name]))
        for _ in range(draw.choice([0, 1, 1, 2, 3])):
            changed(fields, draw)
        try:
            value = ask(fields)
        except StudentLost:
            lost += 1
        except Exception as error:  # of the student's, or of the judge that refuses
            raised.append(error)
        else:
            read += 1
            assert is_data(value), value
    for error in raised:
        assert is_harmless(type(error)), error
        assert hasattr(error, "student_traceback") or isinstance(error, TypeError)
    assert lost > ROUNDS / 10
    assert read + lost > ROUNDS / 10
