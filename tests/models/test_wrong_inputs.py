"""Exposure bias from three seeds: what lecture 07 says of it, and how it came."""

import nbformat
import pytest
import torch
from lectures import NOTEBOOKS

from course_lib import running_task
from course_lib.data.number_words import Pairs
from course_lib.models import wrong_inputs
from course_lib.models.seq2seq import Seq2Seq
from course_lib.models.wrong_inputs import FAR, KINDS, SEEDS, Practised, lost, stored


@pytest.fixture(scope="module")
def page() -> dict:
    """What lecture 07 defines for this, run without its trainings."""
    nb = nbformat.read(NOTEBOOKS / "07_seq2seq.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    names: dict = {}
    exec(source["setup"].split("\nrng =")[0], names)
    for part in ("modules", "model", "scheduled", "exposure-code"):
        exec(source[part].split("\n\n\nset_seed")[0].split("\n\n\ncurves")[0], names)
    return names


DATA = running_task.load()
SIZES = len(DATA.english), len(DATA.french)


def few() -> Pairs:
    """A handful of the thread's test pairs."""
    test = DATA.test
    return Pairs(test.numbers[:29], test.source[:29], test.target[:29])


def same_weights(ours: torch.nn.Module, theirs: torch.nn.Module) -> None:
    """Both made from one seed: the lecture's modules, the library's names."""
    for a, b in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.equal(a, b)


@pytest.mark.parametrize("steps", [1, 137, 600])
def test_its_own_words_are_mixed_in_as_on_the_page(page, steps):
    torch.manual_seed(0)
    ours = page["Scheduled"](*SIZES)
    torch.manual_seed(0)
    library = Practised(*SIZES, own=True, most=0.5, seed=0)
    same_weights(ours, library)
    ours.calls = library.calls = steps
    ours.coin = torch.Generator().manual_seed(0)
    rows = few()
    torch.testing.assert_close(
        ours.loss(rows.source, rows.target), library.loss(rows.source, rows.target)
    )


def test_what_is_lost_is_the_difference_on_the_page(page):
    torch.manual_seed(0)
    ours = page["Translator"](*SIZES)
    torch.manual_seed(0)
    library = Practised(*SIZES, own=True, most=0.0, seed=0)
    same_weights(ours, library)
    usual, after = page["after_a_mistake"](ours, few(), FAR)
    assert lost(library, few()) == pytest.approx((usual - after).tolist(), abs=1e-6)


def test_without_wrong_inputs_it_is_teacher_forcing():
    torch.manual_seed(0)
    plain = Seq2Seq(*SIZES)
    torch.manual_seed(0)
    library = Practised(*SIZES, *KINDS["teacher forcing"], seed=0)
    rows = few()
    for _ in range(3):
        torch.testing.assert_close(
            library.loss(rows.source, rows.target), plain.loss(rows.source, rows.target)
        )


def test_random_words_leave_the_start_symbol_alone():
    library = Practised(*SIZES, own=False, most=0.5, seed=0)
    library.calls = running_task.STEPS
    seen = []
    library.embed.register_forward_hook(lambda _module, given, _out: seen.append(given))
    rows = few()
    library.loss(rows.source, rows.target)
    ((inputs,),) = seen
    true = wrong_inputs.shifted(rows.target)
    assert torch.equal(inputs[:, 0], true[:, 0])
    assert 0.3 < (inputs != true)[:, 1:].double().mean() < 0.6


def test_the_table_is_whole_and_says_what_the_lecture_says():
    rows = stored()
    assert [(row.kind, row.seed) for row in rows] == [
        (kind, seed) for kind in KINDS for seed in SEEDS
    ]
    taught = [row for row in rows if row.kind == "teacher forcing"]
    practised = [row for row in rows if row.kind != "teacher forcing"]
    best = min(row.lost_5 for row in taught)
    assert all(row.lost_5 < best / 2 for row in practised)
    assert all(row.exact < min(t.exact for t in taught) for row in practised)
