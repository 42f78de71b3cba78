"""The GPT that the course ships: the right file, small, better than counting."""

import hashlib
import re

import numpy as np
import pytest
import torch

from course_lib.check import max_difference
from course_lib.data import shakespeare
from course_lib.data.installed import MissingDataError
from course_lib.models import shakespeare_gpt
from course_lib.models.gpt import GPT
from course_lib.models.ngrams import KneserNey, NGrams
from course_lib.seeds import set_seed

MOST_BYTES = 12_000_000
PIECE = 10_000  # letters of the test plays


@pytest.fixture(scope="module")
def model() -> GPT:
    set_seed(0)
    return shakespeare_gpt.load()


@pytest.fixture(scope="module")
def piece() -> str:
    return shakespeare.text("test")[:PIECE]


def test_the_file_is_small_and_the_one_that_was_measured():
    content = shakespeare_gpt.WEIGHTS.read_bytes()
    assert len(content) <= MOST_BYTES
    assert hashlib.sha256(content).hexdigest() == shakespeare_gpt.SHA256


def test_a_changed_byte_is_refused(tmp_path):
    content = bytearray(shakespeare_gpt.WEIGHTS.read_bytes())
    content[-1] ^= 1
    path = tmp_path / "changed.safetensors"
    path.write_bytes(content)
    expected = shakespeare_gpt.SHA256[:12]
    with pytest.raises(ValueError, match=f"changed.*expected {expected}") as refused:
        shakespeare_gpt.load(path)
    assert "\n" not in str(refused.value)


def test_a_missing_file_says_how_to_get_it(tmp_path):
    with pytest.raises(MissingDataError, match=r"none.* is missing: .*course update"):
        shakespeare_gpt.load(tmp_path / "none.safetensors")


def test_weights_are_single_and_nothing_is_dropped(model):
    assert not model.training
    assert {value.dtype for value in model.parameters()} == {torch.float32}
    assert model.context == shakespeare_gpt.SETTINGS.context


def test_costs_less_than_the_best_count(model, piece):
    pairs = shakespeare_gpt.tokens()
    counted = NGrams(pairs.train, 4, len(pairs.vocabulary)).losses(pairs.encode(piece))
    best = (counted.sum(axis=1) / len(piece)).min()
    nats = shakespeare_gpt.nats_per_letter(model, piece)
    assert nats < best - 0.05
    assert nats < 1.55


def test_what_lecture_11_says_of_the_letters_that_lecture_06_judges():
    letters = shakespeare.text("test")[: shakespeare_gpt.JUDGED]
    set_seed(0)
    nats = shakespeare_gpt.nats_per_letter(shakespeare_gpt.load(), letters)
    assert nats == pytest.approx(1.42, abs=6e-3)
    pairs = shakespeare_gpt.tokens()
    counted = KneserNey(NGrams(pairs.train, 4, len(pairs.vocabulary)))
    losses = counted.losses(pairs.encode(letters))[-1]
    assert losses.sum() / len(letters) == pytest.approx(1.43, abs=6e-3)


def test_the_same_scores_with_the_cache(model, piece):
    numbers = torch.tensor(shakespeare_gpt.tokens().encode(piece[:400]))[None, :101]
    step, state = model.decoder(numbers[:, :61])
    with torch.no_grad():
        at_once = model(numbers).log_softmax(dim=-1)
        for place in range(61, 101):
            log_p, state = step(numbers[:, place], state)
            assert max_difference(log_p, at_once[:, place]) < 1e-3


def words_of(text: str) -> list[str]:
    return re.findall("[a-z']+", text.lower())


def test_writes_mostly_words_of_the_plays(model):
    known, shares = set(words_of(shakespeare.text("train"))), []
    for seed in range(6):
        written = shakespeare_gpt.write(model, "\nROMEO.\n", 180, seed=seed)
        words = words_of(written)[:-1]  # the last one may be cut
        assert len(words) > 50
        shares.append(np.mean([word in known for word in words]))
    assert np.mean(shares) > 0.85  # of the words of the test plays it is 0.95


def test_writes_the_same_for_a_seed(model):
    first, again, other = (
        shakespeare_gpt.write(model, "\nROMEO.\n", 40, seed=seed) for seed in (3, 3, 4)
    )
    assert first == again != other


def test_every_token_is_judged_once_with_half_a_context_before_it():
    torch.manual_seed(0)
    small = GPT(78, 8, 2, 1, context=6).eval()
    numbers = torch.randint(78, (24,))
    found = shakespeare_gpt.costs(small, numbers, rows=2)
    for place, cost in enumerate(found):
        # windows begin at 0, 3, 6, … and the last one where 23 - 6 tokens are left
        start = max(0, min((place - 3) // 3 * 3, 17))
        with torch.no_grad():
            logits = small(numbers[None, start : place + 1])[0, -1]
        wanted = -logits.log_softmax(dim=0)[numbers[place + 1]]
        assert abs(cost - wanted) < 1e-5, place


def test_a_text_shorter_than_the_context_is_one_window():
    torch.manual_seed(0)
    small = GPT(78, 8, 2, 1, context=16).eval()
    numbers = torch.randint(78, (9,))
    found = shakespeare_gpt.costs(small, numbers)
    assert found.shape == (8,)
    assert abs(found.mean() - small.loss(numbers[None])) < 1e-6


def test_the_log_ends_with_the_last_step_and_goes_down():
    log = shakespeare_gpt.log()
    assert log[-1].step == shakespeare_gpt.SETTINGS.steps
    assert log[-1].validation < log[0].validation
    assert np.all(np.diff([line.seconds for line in log]) > 0)
    assert log[-1].seconds < 4 * 3600  # two hours of two cores
