"""The Transformer and the loop of lecture 10 are those of the library."""

import nbformat
import pytest
import torch
import torch.nn.functional as F
from lectures import NOTEBOOKS
from torch import nn

from course_lib import running_task
from course_lib.data.vocabulary import PAD, trimmed
from course_lib.models import transformer as library
from course_lib.models.attention import MultiHeadAttention, causal_mask
from course_lib.models.losses import shifted
from course_lib.models.positions import sinusoids
from course_lib.train import one_cycle, progress

SIZES = (12, 3, 17, 2)


@pytest.fixture(scope="module")
def page() -> dict:
    """The classes that the lecture writes, run without the rest of it."""
    nb = nbformat.read(NOTEBOOKS / "10_transformer.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    names = {
        **{"torch": torch, "nn": nn, "F": F, "library": library, "PAD": PAD},
        **{"MultiHeadAttention": MultiHeadAttention, "causal_mask": causal_mask},
        **{"shifted": shifted, "sinusoids": sinusoids, "trimmed": trimmed},
        **{"one_cycle": one_cycle, "progress": progress},
    }
    for cell in ("block", "model", "fit"):
        exec(source[cell], names)
    return names


def test_the_same_seed_gives_the_same_model(page):
    data = running_task.load().train
    logits = []
    for kind in (page["Transformer"], library.Transformer):
        torch.manual_seed(0)
        model = kind(60, 60, *SIZES)
        logits.append(model(data.source[:5], data.target[:5]))
    assert torch.allclose(*logits, atol=1e-5)


def test_the_loop_on_the_page_is_that_of_the_thread(page):
    data, histories = running_task.load().train, []
    for kind, fit in (
        (page["Transformer"], lambda m: page["fit"](m, data, 5, 8, 5e-3, 3)),
        (library.Transformer, lambda m: running_task.fit(m, data, 5, 3, 8, 5e-3)),
    ):
        torch.manual_seed(0)
        histories.append(fit(kind(60, 60, *SIZES)))
    assert histories[0] == pytest.approx(histories[1], abs=1e-4)
