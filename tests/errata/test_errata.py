"""The ledger: complete, settled, and every check able to fail."""

import re

import pytest
import torch

from course_lib.errata import (
    CHECKS,
    SORTS,
    evidence,
    gru,
    latent_sequences,
    ledger,
    lstm,
    pretraining,
    section_in,
    seq2seq,
    settle,
    simple_rnn,
    transformer,
    vanishing_gradients,
)
from course_lib.errata.table import MODULES
from course_tools.authoring import coverage
from course_tools.authoring.coverage import NOTEBOOKS

ENTRIES = ledger()
COMPUTED = [entry for entry in ENTRIES if not entry.is_fact]
LECTURES = {row.lecture for row in coverage.promised()}
one_each = pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"E{e.number}")
computed_ones = pytest.mark.parametrize(
    "entry", COMPUTED, ids=lambda e: f"E{e.number}-{e.check}"
)


# --- the table


def test_there_are_79_errors_and_12_conventions():
    assert [entry.number for entry in ENTRIES] == list(range(1, 92))
    kinds = [entry.kind for entry in ENTRIES]
    assert (kinds.count("error"), kinds.count("convention")) == (79, 12)
    sorts = [entry.sort for entry in ENTRIES]
    assert [sorts.count(sort) for sort in SORTS] == [39, 25, 12, 3, 12]
    assert all((e.kind == "convention") == (e.sort == "convention") for e in ENTRIES)


def test_each_entry_has_the_lecture_that_coverage_promises():
    promised = {r.name: r.lecture for r in coverage.promised() if r.name[0] == "E"}
    assert {f"E{entry.number}": entry.lecture for entry in ENTRIES} == promised


@one_each
def test_an_entry_says_all_it_has_to(entry):
    for text in (entry.title, entry.printed, entry.holds, entry.check):
        assert text == text.strip() != ""
    assert entry.printed != entry.holds
    assert entry.printed.count("$") % 2 == entry.holds.count("$") % 2 == 0
    assert "$" not in entry.title  # it is also drawn, as plain text


@one_each
def test_the_section_of_an_entry_is_where_its_cell_stands(entry):
    """An empty section is allowed as long as nobody has looked it up."""
    assert entry.lecture in LECTURES
    if entry.section and (NOTEBOOKS / f"{entry.lecture}.ipynb").exists():
        found = section_in(entry.lecture, entry.number)
        assert entry.section == found, "write the new heading into errata.tsv"


def test_addresses_lead_to_sections():
    third = ENTRIES[2]
    assert third.place == "03 § 3"
    expected = "03_vanishing_gradients.ipynb#3.-Two-numbers-for-a-matrix"
    assert third.address == expected
    assert all(re.fullmatch(r"[\w.]+\.ipynb(#\S+)?", e.address) for e in ENTRIES)


def test_only_the_rows_of_a_lecture_are_returned():
    assert {entry.lecture for entry in ledger("04_lstm")} == {"04_lstm"}
    with pytest.raises(ValueError, match="no entry is settled in 'no_lecture'"):
        ledger("no_lecture")


# --- the checks


def test_every_check_belongs_to_one_entry_and_the_rest_are_facts():
    assert sorted(entry.check for entry in COMPUTED) == sorted(CHECKS)
    for entry in COMPUTED:
        claim = CHECKS[entry.check].__doc__
        assert claim.startswith(f"E{entry.number}: "), entry.check
    assert [e.number for e in ENTRIES if e.is_fact] == [38, 39, 74]


@computed_ones
def test_the_check_passes_and_says_why(entry):
    said = settle(entry)
    assert re.search(r"within \d|exact", said), said
    assert "\n" not in said
    assert settle(entry) == said  # the same every time


def test_the_checks_leave_the_random_numbers_alone():
    torch.manual_seed(3)
    before = torch.get_rng_state()
    for entry in COMPUTED:
        settle(entry)
        assert torch.equal(torch.get_rng_state(), before), entry.check


# --- the checks can fail


def swapped(what, truth, printed, holds, **kw):
    return evidence.decide(what, truth, holds, printed, **kw)


def equal(what, truth, printed, holds, **kw):
    return evidence.decide(what, truth, holds, holds, **kw)


WITHOUT_PRINTED_NUMBER = {44, 45}  # the sentence predicts none: see below
DECIDED = [entry for entry in COMPUTED if entry.number not in WITHOUT_PRINTED_NUMBER]


@pytest.mark.parametrize("decide", [swapped, equal])
@pytest.mark.parametrize("entry", DECIDED, ids=lambda e: f"E{e.number}")
def test_it_fails_if_the_printed_form_were_right(entry, decide, monkeypatch):
    """Once the two forms change places, once the printed one is as good."""
    for module in MODULES:
        monkeypatch.setattr(module, "decide", decide)
    with pytest.raises(AssertionError):
        settle(entry)


@pytest.mark.parametrize("number", sorted(WITHOUT_PRINTED_NUMBER))
def test_it_fails_if_what_holds_did_not(number, monkeypatch):
    def more(what, truth, holds, **kw):
        return evidence.confirm(what, truth, holds + 0.05, **kw)

    monkeypatch.setattr(gru, "confirm", more)
    with pytest.raises(AssertionError, match="3/4"):
        settle(ENTRIES[number - 1])


def transposed(W_h, h_t):
    return ((1 - h_t**2)[:, None] * W_h).T


def forgotten_tanh(s):
    return s["o"]


def no_candidate_path(p, s, c_before):
    by_f = (c_before * s["f"] * (1 - s["f"]))[:, None] * p["hf"]
    return by_f + (s["g"] * s["i"] * (1 - s["i"]))[:, None] * p["hi"]


MUTATIONS = [
    # module, function, wrong formula, entries whose check must notice
    (simple_rnn, "one_step_jacobian", transposed, (1, 2)),
    (vanishing_gradients, "spectral_radius", lambda W: 10.0, (40,)),
    (vanishing_gradients, "two_thresholds", lambda n, eta, gamma: n, (8,)),
    (lstm, "opening", forgotten_tanh, (13, 14, 20, 43)),
    (lstm, "through_h", no_candidate_path, (13, 14, 15, 16, 20, 43)),
    (lstm, "occurs", lambda wanted: True, (17, 18)),
    (seq2seq, "best_loss", lambda given, wanted, V: 0.0, (46,)),
    (latent_sequences, "divergence", lambda m, v: 0.5 * (m**2 + v - 1), (26, 69)),
    (latent_sequences, "reconstruction", lambda x, m, v: -0.5 * (x - m) ** 2, (26, 69)),
    (latent_sequences, "lower_bound", lambda *a: 0.0, (50,)),
    (transformer, "far_over_near", lambda layer: 1e-25, (37,)),
    (transformer, "read_all", lambda rows: rows, (37,)),
    (transformer, "two_layers", lambda rows, mask_second: rows.cumsum(0), (31,)),
    (pretraining, "encoder_block", lambda d, d_ff: 4 * d * d, (57, 90)),
]


@pytest.mark.parametrize(
    ("module", "name", "wrong", "number"),
    [(m, n, w, k) for m, n, w, numbers in MUTATIONS for k in numbers],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_wrong_formula_is_noticed(module, name, wrong, number, monkeypatch):
    settle(ENTRIES[number - 1])
    monkeypatch.setattr(module, name, wrong)
    with pytest.raises(AssertionError):
        settle(ENTRIES[number - 1])


# --- how a claim is settled


def test_decide_says_what_it_found():
    said = evidence.decide("area", 12.0, 12.5, 12.0)
    assert said == (
        "area: as printed off by ≈ 0.5 (at least 0.01), corrected within 1e-12"
    )
    truth = [True, False]
    said = evidence.decide("right?", truth, [True, True], truth, bound=0)
    assert said == "right? as printed wrong in 1 of 2 cases, corrected exact"
    shape = torch.zeros(2, 3)
    said = evidence.decide("x", shape, torch.zeros(3), shape, names=evidence.CONVENTION)
    assert said.startswith("x: taken as it stands of shape (3,) instead of (2, 3), tr")
    assert "nan" in evidence.decide("x", 1.0, float("nan"), 1.0)
    assert "off by ≈ 1500 (at" in evidence.decide("x", 0, 1500, 0)


def test_decide_refuses_both_ways():
    with pytest.raises(AssertionError, match="corrected: 0.2 from the truth"):
        evidence.decide("x", 1.0, 3.0, 1.2)
    with pytest.raises(AssertionError, match="only 0 off, so not wrong"):
        evidence.decide("x", 1.0, 1.0, 1.0)
    with pytest.raises(AssertionError, match="from the truth"):
        evidence.decide("x", 1.0, 3.0, float("nan"))
    with pytest.raises(AssertionError, match="from the truth"):
        evidence.decide("x", torch.zeros(2), 3.0, torch.zeros(3))


def test_what_cannot_be_computed_is_reported_not_raised():
    impossible = evidence.attempt(lambda: torch.zeros(2, 3) @ torch.zeros(2, 3))
    assert isinstance(impossible, RuntimeError)
    said = evidence.decide("product", torch.zeros(2, 2), impossible, torch.zeros(2, 2))
    assert "as printed cannot be computed (mat1 and mat2" in said
    with pytest.raises(ZeroDivisionError):
        evidence.attempt(lambda: 1 / 0)  # an error nobody expected is not evidence


def test_sees_finds_exactly_the_dependence():
    x = evidence.numbers(1, 5, 3)
    found = evidence.sees(lambda rows: rows.cumsum(0), x)
    assert (found == torch.ones(5, 5).tril().bool().numpy()).all()
