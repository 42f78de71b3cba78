"""The attentions that lecture 15 builds are those of the library."""

import nbformat
import pytest
import torch
from lectures import NOTEBOOKS

from course_lib import running_task
from course_lib.models import efficient, sparse
from course_lib.models.transformer import Transformer
from course_lib.seeds import set_seed

PARTS = {
    "online-chunks-code": "\n\n\nQ, K, V",
    "local-code": "\n\n\nn, m",
    "sparse-code": "\n\n\nQ, K, V",
    "linear-check": "\nx = torch",
    "features-check": "\n\n\na = ",
    "rnn-check": "\n\n\nphi_q",
}


@pytest.fixture(scope="module")
def page() -> dict:
    """What these cells of the lecture define, run without the rest of it."""
    nb = nbformat.read(NOTEBOOKS / "15_efficient_attention.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    names: dict = {}
    exec(source["setup"], names)
    for cell, stop in PARTS.items():
        assert stop in source[cell], cell
        exec(source[cell].partition(stop)[0], names)
    return names


@pytest.fixture
def qkv() -> list[torch.Tensor]:
    torch.manual_seed(0)
    return [torch.randn(23, width, dtype=torch.float64) for width in (5, 5, 3)]


def test_exact_and_sparse_attention_are_the_librarys(page, qkv):
    for ours, theirs in [
        (page["online"](*qkv, 4), efficient.chunked(*qkv, chunk=4)),
        (page["in_blocks"](*qkv, 4), sparse.local(*qkv, 4)),
        (page["in_classes"](*qkv, 4), sparse.strided(*qkv, 4)),
    ]:
        torch.testing.assert_close(ours, theirs)


def test_features_and_linear_attention_are_the_librarys(page, qkv):
    Q, K, V = qkv
    phi = page["phi"]
    torch.testing.assert_close(phi(Q), efficient.elu_features(Q))
    ours = page["linear_attention"](phi(Q), phi(K), V)
    torch.testing.assert_close(ours, efficient.linear(phi(Q), phi(K), V))
    omega = torch.randn(11, 5, dtype=torch.float64)
    by_hand = torch.stack([page["f"](q / 5**0.25, omega) for q in Q]) / 11**0.5
    torch.testing.assert_close(by_hand, efficient.positive_features(Q, omega))


def test_the_recurrence_is_the_librarys_causal_sum(page, qkv):
    phi_q, phi_k, V = page["phi"](qkv[0]), page["phi"](qkv[1]), qkv[2]
    state, rows = (V.new_zeros(5, 3), V.new_zeros(5)), []
    for t in range(23):
        state, out = page["step"](state, phi_q[t], phi_k[t], V[t])
        rows.append(out)
    expected = efficient.linear(phi_q, phi_k, V, causal=True, chunk=7)
    torch.testing.assert_close(torch.stack(rows), expected)


def test_self_attention_that_looks_at_no_query_translates_the_seen_lengths_too():
    """The thread of lecture 15: its plain mean, with all 700 steps."""
    nb = nbformat.read(NOTEBOOKS / "15_efficient_attention.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}["thread-mean"]
    names: dict = {"torch": torch, "set_seed": set_seed, "Transformer": Transformer}
    names |= {"running_task": running_task, "data": running_task.load()}
    exec(source.partition("\nsaid_blind")[0].replace("steps=250", "steps=700"), names)
    said = running_task.translate(names["blind"], names["data"].test.source)
    hits = running_task.exact(said, names["data"].test.target)
    assert hits.double().mean() > 0.985
