"""Attention layers equal torch's, in values and gradients, and keep their promises."""

import itertools

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_lib.check import max_difference
from course_lib.models.attention import (
    MultiHeadAttention,
    attention,
    causal_mask,
    from_torch,
    masked_softmax,
    padding_mask,
)

B, N, M, H, D_HEAD, D_MEMORY = 2, 5, 7, 3, 11, 13
D = H * D_HEAD
MASKS = ["none", "causal", "padding", "random", "per head"]


@pytest.fixture(autouse=True)
def _double():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    yield
    torch.set_default_dtype(torch.float32)


def a_mask(kind: str, n: int, m: int):
    """True = look; every query sees key 0, since torch.nn answers nan otherwise."""
    if kind == "none":
        return None
    if kind == "causal":
        return causal_mask(n, m)
    if kind == "padding":
        return padding_mask(torch.tensor([m, m - 2]), m)
    mask = torch.rand((n, m) if kind == "random" else (B, H, n, m)) < 0.6
    mask[..., 0] = True
    return mask


def told_to_torch(mask, kind: str) -> dict:
    """The same mask in the words of nn.MultiheadAttention, True = hide."""
    if mask is None:
        return {}
    if kind == "padding":
        return {"key_padding_mask": ~mask[:, 0]}
    if kind == "per head":
        return {"attn_mask": ~mask.flatten(0, 1)}
    return {"attn_mask": ~mask}


def gradients(output, direction, *leaves):
    return torch.autograd.grad((output * direction).sum(), leaves)


def torch_layer(bias: bool, d_memory: int) -> nn.MultiheadAttention:
    layer = nn.MultiheadAttention(
        D, H, bias=bias, kdim=d_memory, vdim=d_memory, batch_first=True
    )
    for parameter in layer.parameters():  # torch starts its biases at zero
        nn.init.normal_(parameter, std=0.3)
    return layer


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("source", ["self", "cross", "cross, other width"])
def test_equals_torch_in_values_and_gradients(source, bias, kind, need_weights):
    d_memory = D_MEMORY if "width" in source else D
    theirs = torch_layer(bias, d_memory)
    ours = from_torch(theirs)
    x = torch.randn(B, N, D, requires_grad=True)
    other = torch.randn(B, M, d_memory, requires_grad=True)
    memory = x if source == "self" else other
    mask = a_mask(kind, N, memory.shape[1])
    expected, w = theirs(
        x, memory, memory, average_attn_weights=False, **told_to_torch(mask, kind)
    )
    got = ours(x, None if source == "self" else memory, mask, need_weights)
    assert max_difference(got.output, expected) < 1e-12
    if need_weights:
        assert max_difference(got.weights, w) < 1e-12
    else:
        assert got.weights is None
    direction = torch.randn_like(expected)
    leaves = [x] if source == "self" else [x, other]
    for a, b in zip(
        gradients(got.output, direction, *leaves, *in_torch_order(ours)),
        split_gradients(theirs, expected, direction, leaves),
        strict=True,
    ):
        assert max_difference(a, b) < 1e-11


def in_torch_order(ours):
    names = ["W_q", "W_k", "W_v", "W_o"]
    if ours.b_q is not None:
        names += ["b_q", "b_k", "b_v", "b_o"]
    return [getattr(ours, name) for name in names]


def split_gradients(theirs, output, direction, leaves):
    """torch's gradients, its packed blocks taken apart."""
    packed = theirs.in_proj_weight is not None
    W = (
        [theirs.in_proj_weight]
        if packed
        else [theirs.q_proj_weight, theirs.k_proj_weight, theirs.v_proj_weight]
    )
    b = [] if theirs.in_proj_bias is None else [theirs.in_proj_bias]
    ends = [theirs.out_proj.weight] + ([theirs.out_proj.bias] if b else [])
    found = iter(gradients(output, direction, *leaves, *W, *b, *ends))
    out = [next(found) for _ in leaves]
    weights = list(next(found).chunk(3)) if packed else [next(found) for _ in W]
    biases = list(next(found).chunk(3)) if b else []
    out += weights + [next(found)]
    return out + biases + ([next(found)] if b else [])


@pytest.mark.parametrize("kind", ["none", "causal", "random"])
def test_attention_equals_torchs_function(kind):
    q, k, v = torch.randn(B, N, 3), torch.randn(B, M, 3), torch.randn(B, M, 11)
    mask = a_mask(kind, N, M)
    expected = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    out, weights = attention(q, k, v, mask)
    assert max_difference(out, expected) < 1e-14
    assert max_difference(weights @ v, expected) < 1e-14
    twice = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=2.0)
    for need in (True, False):
        got = attention(q, k, v, mask, scale=2.0, need_weights=need).output
        assert max_difference(got, twice) < 1e-13


def test_autograd_agrees_with_central_differences_under_a_mask():
    mask = torch.rand(3, 5) < 0.5
    mask[1] = False  # a query that may look nowhere
    q, k, v = (torch.randn(n, 2, requires_grad=True) for n in (3, 5, 5))
    assert torch.autograd.gradcheck(lambda *a: attention(*a, mask), (q, k, v))


@pytest.mark.parametrize("need_weights", [True, False])
def test_a_query_that_may_look_nowhere_reads_zero_and_harms_nobody(need_weights):
    layer = from_torch(torch_layer(True, D))
    x = torch.randn(B, N, D, requires_grad=True)
    mask = causal_mask(N)
    free = layer(x, mask=mask).output
    mask[2] = False
    out, weights = layer(x, mask=mask, need_weights=need_weights)
    assert torch.allclose(out[:, 2], layer.b_o.expand(B, -1))
    others = [0, 1, 3, 4]
    assert max_difference(out[:, others], free[:, others]) < 1e-14
    if need_weights:
        assert torch.all(weights[:, :, 2] == 0)
    for g in gradients(out, torch.randn_like(out), x, *in_torch_order(layer)):
        assert torch.isfinite(g).all()
    theirs = torch_layer(True, D)
    assert theirs(x, x, x, attn_mask=~mask)[0].isnan().any()  # why we do otherwise


def test_no_nan_arises_even_on_the_way_back():
    q, k = torch.randn(3, 2, requires_grad=True), torch.randn(5, 2)
    mask = torch.zeros(3, 5, dtype=torch.bool)
    with pytest.warns(UserWarning, match="Anomaly"), torch.autograd.detect_anomaly():
        attention(q, k, k, mask).output.sum().backward()  # raises if it meets a nan
    assert torch.all(q.grad == 0)


def test_masked_keys_get_exactly_nothing():
    mask = a_mask("random", N, M)
    q, k, v = torch.randn(B, N, 3), torch.randn(B, M, 3), torch.randn(B, M, 2)
    out, weights = attention(q, k, v, mask)
    assert torch.all(weights[:, ~mask] == 0)
    assert torch.allclose(weights.sum(-1), torch.ones(B, N))
    v[:, 4] = 1e6
    k[:, 4] = 1e3
    changed = attention(q, k, v, mask).output
    assert torch.equal(changed[:, ~mask[:, 4]], out[:, ~mask[:, 4]])
    assert not torch.allclose(changed[:, mask[:, 4]], out[:, mask[:, 4]])


def test_large_scores_do_not_overflow():
    scores = torch.tensor([[1e4, 0.0, -1e4]])
    assert torch.equal(masked_softmax(scores), torch.tensor([[1.0, 0, 0]]))
    hidden = masked_softmax(scores, torch.tensor([[False, True, True]]))
    assert torch.equal(hidden, torch.tensor([[0.0, 1, 0]]))


@pytest.mark.parametrize("need_weights", [True, False])
def test_edge_sizes(need_weights):
    layer = MultiHeadAttention(D, H, D_MEMORY)
    nn.init.normal_(layer.b_o)

    def run(b, n, m):
        x, memory = torch.randn(b, n, D), torch.randn(b, m, D_MEMORY)
        return memory, layer(x, memory, need_weights=need_weights)

    memory, (out, weights) = run(B, N, 1)  # one key: its value, whatever the score
    value = memory @ layer.W_v.T @ layer.W_o.T + layer.b_o
    assert torch.allclose(out, value.expand(B, N, D))
    if need_weights:
        assert torch.all(weights == 1)
    _, (out, _) = run(B, N, 0)  # nothing to read
    assert torch.allclose(out, layer.b_o.expand(B, N, D))
    for b, n, m in [(0, N, M), (B, 0, M), (0, 0, 0)]:
        assert run(b, n, m)[1].output.shape == (b, n, D)


def test_causal_mask_is_a_triangle_and_its_last_rows():
    assert causal_mask(3).int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert torch.equal(causal_mask(2, 5), causal_mask(5)[-2:])
    assert causal_mask(1).tolist() == [[True]]
    with pytest.raises(ValueError, match="3 queries but 2 keys"):
        causal_mask(3, 2)


def test_padding_mask_keeps_the_first_words():
    mask = padding_mask(torch.tensor([2, 0, 3]), 3)
    assert mask.int().tolist() == [[[1, 1, 0]], [[0, 0, 0]], [[1, 1, 1]]]


def test_kept_keys_and_values_give_the_same_as_the_whole():
    layer = from_torch(torch_layer(True, D))
    x = torch.randn(B, N, D)
    whole = layer(x, mask=causal_mask(N)).output
    k, v = layer.keys_values(x)
    last = layer.attend(x[:, -2:], k, v, causal_mask(2, N)).output
    assert max_difference(last, whole[:, -2:]) < 1e-13


def test_self_attention_is_equivariant_and_cross_attention_ignores_order():
    layer = from_torch(torch_layer(True, D))
    x, memory = torch.randn(B, N, D), torch.randn(B, M, D)
    p, r = torch.randperm(N), torch.randperm(M)
    assert max_difference(layer(x[:, p]).output, layer(x).output[:, p]) < 1e-12
    assert (
        max_difference(layer(x, memory[:, r]).output, layer(x, memory).output) < 1e-12
    )


@pytest.mark.parametrize(
    ("heads", "bias"), list(itertools.product([1, 3, 11], [True, False]))
)
def test_parameters_do_not_depend_on_heads_or_length(heads, bias):
    layer = MultiHeadAttention(D, heads, D_MEMORY, bias)
    count = sum(p.numel() for p in layer.parameters())
    assert count == 2 * D * D + 2 * D * D_MEMORY + (4 * D if bias else 0)


@pytest.mark.usefixtures("unchecked")
class TestMessages:
    @pytest.mark.parametrize(
        ("q", "k", "v", "words"),
        [
            ((5, 3), (7, 2), (7, 2), "q and k of the same width"),
            ((5, 3), (7, 3), (5, 3), "every key needs its value"),
            ((2, 5, 3), (7, 3), (7, 3), "same axes in front"),
            ((3,), (7, 3), (7, 3), "same axes in front"),
        ],
    )
    def test_shapes(self, q, k, v, words):
        with pytest.raises(ValueError, match=words) as error:
            attention(torch.zeros(q), torch.zeros(k), torch.zeros(v))
        assert f"q {q}, k {k}, v {v}" in str(error.value)

    def test_masks(self):
        q, k = torch.zeros(2, 5, 3), torch.zeros(2, 7, 3)
        with pytest.raises(ValueError, match=r"float64, expected torch.bool, True = m"):
            attention(q, k, k, torch.ones(5, 7))
        for wrong in [(7, 5), (3, 5, 7), (1, 2, 5, 7), (2,)]:
            message = rf"mask has shape \({', '.join(map(str, wrong))},?\).*\(2, 5, 7\)"
            with pytest.raises(ValueError, match=message):
                attention(q, k, k, torch.ones(wrong, dtype=torch.bool))

    def test_layer(self):
        with pytest.raises(ValueError, match="d_model=7 cannot .* heads=2"):
            MultiHeadAttention(7, 2)
        with pytest.raises(ValueError, match="d_model=7 cannot .* heads=0"):
            MultiHeadAttention(7, 0)
        layer = MultiHeadAttention(6, 2, 5)
        with pytest.raises(ValueError, match=r"x has shape \(2, 6\), .*d_model=6\)"):
            layer(torch.zeros(2, 6), torch.zeros(2, 3, 5))
        with pytest.raises(ValueError, match=r"memory has shape \(2, 3, 6\), .*=5\)"):
            layer(torch.zeros(2, 3, 6))

    def test_what_torch_can_and_we_do_not(self):
        for options in [{"kdim": 5}, {"add_bias_kv": True}, {"add_zero_attn": True}]:
            with pytest.raises(ValueError, match="one memory"):
                from_torch(nn.MultiheadAttention(6, 2, **options))
