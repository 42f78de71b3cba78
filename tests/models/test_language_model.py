"""The recurrent language model, and that lecture 06 writes the same one."""

import nbformat
import pytest
import torch
from lectures import NOTEBOOKS
from torch import nn
from torch.nn import functional as F

from course_lib.models import language_model as library
from course_lib.models import longer_training
from course_lib.train import train

V, D_E, D_H = 7, 3, 5


@pytest.fixture(scope="module")
def page() -> dict:
    """What lecture 06 defines, run without the rest of it."""
    nb = nbformat.read(NOTEBOOKS / "06_language_models.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    names: dict = {"torch": torch, "nn": nn, "F": F}
    exec(source["model-class"], names)
    exec(source["read-along"], names)
    exec(source["sample-loop"].partition("\n\n\ng = ")[0], names)
    return names


def model(kind=library.LanguageModel, seed=0):
    torch.manual_seed(seed)
    return kind(V, D_E, D_H).double()


def tokens(count, seed=0):
    return torch.randint(V, (count,), generator=torch.Generator().manual_seed(seed))


def test_the_page_and_the_library_have_the_same_model(page):
    here, there = model(), model(page["LanguageModel"])
    text = tokens(11)[None]
    assert torch.equal(here(text)[0], there(text)[0])


def test_the_page_and_the_library_train_alike(page):
    losses = []
    for kind, read_along in (
        (library.LanguageModel, library.read_along),
        (page["LanguageModel"], page["read_along"]),
    ):
        made = model(kind)
        losses.append(train(made.parameters(), read_along(made, tokens(61), 2, 7), 9))
    assert losses[0] == losses[1]


def test_the_page_and_the_library_judge_and_write_alike(page):
    made, choose = model(), lambda logits: logits.softmax(dim=-1)
    text = tokens(23)
    assert library.nats_per_token(made, text) == page["nats_per_token"](made, text)
    rows = [
        write(made, tokens(6).view(2, 3), 5, choose, torch.Generator().manual_seed(1))
        for write in (library.write, page["write"])
    ]
    assert rows[0].shape == (2, 5)
    assert torch.equal(*rows)


def test_a_chunk_goes_on_where_the_last_one_stopped():
    """The state is carried: two chunks cost what the whole text costs."""
    made, text = model(), tokens(13)
    loss = library.read_along(made, text, rows=1, chunk=6)
    halves = [loss(0).item(), loss(1).item()]
    assert sum(halves) / 2 == pytest.approx(library.nats_per_token(made, text))
    assert loss(2).item() == pytest.approx(halves[0])  # from the beginning again


def test_a_gradient_stops_at_the_border_of_a_chunk():
    made = model()
    loss = library.read_along(made, tokens(13), rows=1, chunk=6)
    loss(0).backward()
    loss(1).backward()  # would fail if it reached into the graph that is gone


def test_too_short_a_text_is_refused():
    with pytest.raises(ValueError, match="10 tokens are too few for 2 rows of 5"):
        library.read_along(model(), tokens(10), rows=2, chunk=5)


def test_the_stored_runs_are_those_of_the_script():
    rows = longer_training.stored()
    made = [(row.V, row.width, row.steps) for row in rows]
    assert made == longer_training.RUNS
    for row in rows:
        counted = library.LanguageModel(row.V, row.width // 2, row.width)
        assert row.parameters == sum(p.numel() for p in counted.parameters())
        assert 1.2 < row.test < 1.9
