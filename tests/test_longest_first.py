"""What stays together when tests are handed out to workers, and what comes first."""

import itertools
from pathlib import Path
from types import SimpleNamespace

import pytest
from longest_first import APART, SECONDS, TOGETHER, LongestFirst, in_order, piece

ROOT = Path(__file__).resolve().parent.parent
RUN, ANSWERS = APART
LECTURE = f"{RUN}::test_lecture_runs_and_prints_what_is_stored[04_lstm]"


@pytest.mark.parametrize(
    ("test", "name"),
    [
        ("tests/data/test_bpe.py::test_a", "tests/data/test_bpe.py"),
        ("tests/data/test_bpe.py::test_a[some_word]", "tests/data/test_bpe.py"),
        ("tests/book/test_pages.py::test_a", "tests/book"),
        (LECTURE, f"{RUN}[04_lstm]"),
        (f"{RUN}::test_most_outputs_are_compared[04_lstm]", f"{RUN}[04_lstm]"),
        (f"{RUN}::test_a_changed_output_is_noticed", RUN),
        (f"{ANSWERS}::test_the_stub_gets_nothing[ps1_rnn]", f"{ANSWERS}[ps1_rnn]"),
        (f"{ANSWERS}::test_an_answer[ps1_rnn-wrong-off_by_one]", f"{ANSWERS}[ps1_rnn]"),
    ],
)
def test_a_test_is_handed_out_with(test, name):
    assert piece(test) == name


def test_everything_that_is_named_is_there():
    named = {name.partition("[")[0] for name in (*SECONDS, *TOGETHER, *APART)}
    missing = [name for name in named if not (ROOT / name).exists()]
    assert missing == []


def test_the_longest_comes_first_and_a_piece_keeps_its_order():
    few = ["tests/data/test_bpe.py::test_z", "tests/data/test_bpe.py::test_a"]
    many = [f"tests/test_seeds.py::test_{n}" for n in range(3)]
    assert in_order([*few, LECTURE, *many]) == [LECTURE, *many, *few]
    assert in_order([*many, *few, LECTURE]) == [LECTURE, *many, *few]


class Worker:
    """Takes notes of the tests that it is given."""

    shutting_down = False

    def __init__(self, name: str):
        self.gateway, self.given = SimpleNamespace(id=name), []

    def send_runtest_some(self, places: list[int]) -> None:
        self.given += places

    def shutdown(self) -> None:
        self.shutting_down = True


def handed_out(
    tests: list[str], took: dict[str, float]
) -> tuple[list[list[str]], float]:
    """What each of two workers ran, if a test took so long; and how long one idled."""
    settings = SimpleNamespace(loadscopereorder=True)
    config = SimpleNamespace(option=settings, getvalue=lambda name: ["popen"] * 2)
    plan, workers = LongestFirst(config), [Worker("one"), Worker("two")]
    for worker in workers:
        plan.add_node(worker)
        plan.add_node_collection(worker, tests)
    plan.schedule()
    clock, ran = [0.0, 0.0], [[], []]
    while busy := [n for n in (0, 1) if len(workers[n].given) > len(ran[n])]:
        n = min(busy, key=clock.__getitem__)
        place = workers[n].given[len(ran[n])]
        ran[n].append(tests[place])
        clock[n] += took[tests[place]]
        plan.mark_test_complete(workers[n], place)
    return ran, abs(clock[0] - clock[1])


def test_workers_end_together_and_pieces_stay_whole():
    """One long test that stands last in its folder's files would keep one of them."""
    took = {f"{ANSWERS}::test_x[ps{s}_x-{n}]": 7 for s in range(1, 6) for n in range(5)}
    took |= {f"{RUN}::test_y[{n:02}_y]": 40 for n in range(17)}
    took |= {f"tests/data/test_bpe.py::test_{n}": 0.2 for n in range(50)}
    took |= {"tests/hub/test_hub.py::test_the_hub[a]": 200}
    tests = in_order(list(took))
    ran, idle = handed_out(tests, took)
    assert sorted(itertools.chain(*ran)) == sorted(tests)
    assert idle < 45, "a lecture at most"
    for one, other in (ran, ran[::-1]):
        assert not {piece(test) for test in one} & {piece(test) for test in other}
