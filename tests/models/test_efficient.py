"""Efficient attention equals torch's attention under the mask it stands for."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_lib.check import max_difference
from course_lib.data.vocabulary import PAD
from course_lib.models.attention import MultiHeadAttention, causal_mask, padding_mask
from course_lib.models.efficient import (
    LinearAttention,
    chunked,
    elu_features,
    linear,
    peak_memory,
    positive_features,
)
from course_lib.models.sparse import (
    global_mask,
    local,
    reach,
    stride_mask,
    strided,
    window_mask,
)
from course_lib.models.transformer import EncoderLayer, Transformer

B, H, D_Q, D_V = 2, 3, 5, 7
LENGTHS = [0, 1, 2, 11, 23]


@pytest.fixture(autouse=True)
def _double():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    yield
    torch.set_default_dtype(torch.float32)


def qkv(N, M=None, scale=1.0):
    M = N if M is None else M
    shapes = [(B, H, N, D_Q), (B, H, M, D_Q), (B, H, M, D_V)]
    return [(scale * torch.randn(shape)).requires_grad_() for shape in shapes]


def same_values_and_gradients(run, mask, inputs, bound=1e-12):
    got = run(*inputs)
    expected = F.scaled_dot_product_attention(*inputs, attn_mask=mask)
    assert max_difference(got, expected) < bound
    if got.numel():
        direction = torch.randn_like(got)
        mine = torch.autograd.grad((got * direction).sum(), inputs)
        theirs = torch.autograd.grad((expected * direction).sum(), inputs)
        for a, b in zip(mine, theirs, strict=True):
            assert max_difference(a, b) < 100 * bound


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("chunk", [1, 3, 8, 99])
@pytest.mark.parametrize(("N", "M"), [(1, 1), (7, 7), (5, 13), (23, 23)])
def test_chunked_is_exact(N, M, chunk, causal):
    mask = causal_mask(N, M) if causal else None
    run = lambda q, k, v: chunked(q, k, v, chunk, causal)  # noqa: E731
    same_values_and_gradients(run, mask, qkv(N, M))


def test_chunked_survives_scores_whose_exponential_overflows():
    q, k, v = qkv(11, scale=100.0)
    assert (q @ k.transpose(-2, -1)).exp().isinf().any()
    expected = F.scaled_dot_product_attention(q, k, v)
    assert max_difference(chunked(q, k, v, 3), expected) < 1e-10


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("window", [0, 1, 3, 10, 22, 99])
@pytest.mark.parametrize("N", LENGTHS)
def test_local_equals_the_masked_square(N, window, causal):
    run = lambda q, k, v: local(q, k, v, window, causal)  # noqa: E731
    same_values_and_gradients(run, window_mask(N, window, causal), qkv(N))


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("stride", [1, 2, 5, 23, 99])
@pytest.mark.parametrize("N", LENGTHS)
def test_strided_equals_the_masked_square(N, stride, causal):
    run = lambda q, k, v: strided(q, k, v, stride, causal)  # noqa: E731
    same_values_and_gradients(run, stride_mask(N, stride, causal), qkv(N))


def test_masks_by_hand():
    assert window_mask(4, 1).int().tolist() == [
        [1, 1, 0, 0],
        [1, 1, 1, 0],
        [0, 1, 1, 1],
        [0, 0, 1, 1],
    ]
    assert stride_mask(4, 2, causal=True).int().tolist() == [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [1, 0, 1, 0],
        [0, 1, 0, 1],
    ]
    assert global_mask(3, 1).int().tolist() == [[1, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert window_mask(5, 2, causal=True)[4].int().tolist() == [0, 0, 1, 1, 1]


@pytest.mark.parametrize("layers", [0, 1, 2, 3])
def test_reach_is_what_gradients_say(layers):
    N = 11
    mask = window_mask(N, 1, causal=True) | stride_mask(N, 5, causal=True)

    def stack(x):
        for _ in range(layers):
            x = F.scaled_dot_product_attention(x, x, x, attn_mask=mask)
        return x

    J = torch.autograd.functional.jacobian(stack, torch.randn(N, D_Q))
    assert torch.equal(J.abs().sum(dim=(1, 3)) > 0, reach(mask, layers))


@pytest.mark.parametrize("w", [1, 2, 5])
def test_windows_reach_their_width_times_the_layers(w):
    assert torch.equal(reach(window_mask(23, w), 3), window_mask(23, 3 * w))


def kernel_attention(phi_q, phi_k, v, mask):
    """Weights formed, masked and normalised one by one."""
    kernel = torch.einsum("...nm,...km->...nk", phi_q, phi_k) * mask
    return torch.einsum("...nk,...kd->...nd", kernel / kernel.sum(-1, keepdim=True), v)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("chunk", [1, 4, 64])
@pytest.mark.parametrize(("N", "M"), [(1, 1), (2, 2), (13, 13), (5, 11)])
def test_linear_equals_normalised_kernel_weights(N, M, chunk, causal):
    q, k, v = qkv(N, M)
    phi_q, phi_k = elu_features(q), elu_features(k)
    mask = causal_mask(N, M) if causal else torch.ones(N, M, dtype=torch.bool)
    expected = kernel_attention(phi_q, phi_k, v, mask)
    got = linear(phi_q, phi_k, v, causal, chunk)
    assert max_difference(got, expected) < 1e-12
    mine = torch.autograd.grad(got.square().sum(), (q, k, v), retain_graph=True)
    theirs = torch.autograd.grad(expected.square().sum(), (q, k, v))
    for a, b in zip(mine, theirs, strict=True):
        assert max_difference(a, b) < 1e-10


def test_features_of_the_elu_are_positive_and_as_defined():
    x = torch.tensor([-40.0, -1.0, 0.0, 2.0])
    assert (elu_features(x) > 0).all()
    expected = torch.tensor([math.exp(-40), math.exp(-1), 1.0, 3.0])
    assert max_difference(elu_features(x), expected) < 1e-15


def test_random_features_are_unbiased_with_the_variance_of_the_formula():
    q, k = 0.7 * torch.randn(D_Q), 0.7 * torch.randn(D_Q)
    omega = torch.randn(200_000, 1, D_Q)  # one feature each: many draws of m = 1
    each = (
        positive_features(q, omega[:, 0]) * positive_features(k, omega[:, 0])
    ) * len(omega)
    kernel = torch.exp(q @ k / D_Q**0.5)
    u, w = q / D_Q**0.25, k / D_Q**0.25
    variance = kernel**2 * (torch.exp((u + w).square().sum()) - 1)
    assert abs(each.mean() - kernel) < 5 * (variance / len(omega)).sqrt()
    assert abs(each.var() / variance - 1) < 0.15


def test_many_random_features_approach_softmax_attention():
    q, k, v = (x[0, 0].detach() for x in qkv(11, scale=0.5))
    omega = torch.randn(100_000, D_Q)
    got = linear(positive_features(q, omega), positive_features(k, omega), v)
    assert max_difference(got, F.scaled_dot_product_attention(q, k, v)) < 0.05


def layers():
    softmax = MultiHeadAttention(12, 3)
    for parameter in softmax.parameters():
        nn.init.normal_(parameter, std=0.4)
    layer = LinearAttention(12, 3)
    layer.load_state_dict(softmax.state_dict())
    return softmax, layer


@pytest.mark.parametrize("kind", ["none", "causal", "padding", "causal, batched"])
def test_the_layer_is_the_same_with_and_without_its_weights(kind):
    softmax, layer = layers()
    x, N = torch.randn(B, 11, 12), 11
    mask = {
        "none": None,
        "causal": causal_mask(N),
        "padding": padding_mask(torch.tensor([11, 7]), N),
        "causal, batched": causal_mask(N).expand(B, N, N),
    }[kind]
    with_weights, weights = layer(x, mask=mask)
    without, none = layer(x, mask=mask, need_weights=False)
    assert none is None
    assert weights.shape == (B, 3, N, N)
    assert max_difference(with_weights, without) < 1e-12
    assert max_difference(weights.sum(-1), torch.ones(B, 3, N)) < 1e-12
    assert max_difference(softmax(x, mask=mask).output, without) > 0.05
    if mask is not None:
        hidden = ~(mask if mask.dim() == 2 else mask[:, None])
        assert weights.masked_select(hidden).abs().max() == 0


def test_the_layer_by_hand():
    _, layer = layers()
    x, N = torch.randn(1, 5, 12), 5
    heads = []
    for h in range(3):
        rows = slice(4 * h, 4 * h + 4)
        q, k, v = (
            x[0] @ getattr(layer, f"W_{n}")[rows].T + getattr(layer, f"b_{n}")[rows]
            for n in "qkv"
        )
        phi_q, phi_k = F.elu(q) + 1, F.elu(k) + 1
        heads.append(kernel_attention(phi_q, phi_k, v, torch.ones(N, N)))
    expected = torch.cat(heads, dim=1) @ layer.W_o.T + layer.b_o
    assert max_difference(layer(x, need_weights=False).output[0], expected) < 1e-12


def test_one_query_over_kept_keys_equals_the_last_row():
    layer = EncoderLayer(12, 3, 17)
    layer.attend = layers()[1]
    x = torch.randn(B, 7, 12)
    whole, past = layer(x, causal_mask(7)).output, None
    for n in range(7):
        out = layer(x[:, n : n + 1], past=past)
        past = out.kept
        assert max_difference(out.output, whole[:, n : n + 1]) < 1e-12


def test_two_queries_may_follow_three_kept_keys():
    layer = EncoderLayer(12, 3, 17)
    layer.attend = layers()[1]
    x = torch.randn(B, 5, 12)
    kept = layer(x[:, :3], causal_mask(3)).kept
    rest = layer(x[:, 3:], causal_mask(2, 5), kept).output
    assert max_difference(rest, layer(x, causal_mask(5)).output[:, 3:]) < 1e-12


def test_a_transformer_of_linear_layers_reads_no_padding_and_no_future():
    model = Transformer(13, 11, 12, 3, 17)
    for layer in [*model.encoder, *model.layers]:
        layer.attend = LinearAttention(12, 3)
    source, target = torch.randint(3, 13, (B, 5)), torch.randint(3, 11, (B, 7))
    scores = model(source, target)
    padded = F.pad(source, (0, 2), value=PAD)
    assert max_difference(model(padded, target), scores) < 1e-12
    other = target.clone()
    other[:, 4:] = 3
    assert max_difference(model(source, other)[:, :5], scores[:, :5]) < 1e-12


def test_a_query_that_may_look_nowhere_reads_zero_and_stays_finite():
    _, layer = layers()
    x = torch.randn(B, 5, 12, requires_grad=True)
    mask = padding_mask(torch.tensor([5, 0]), 5)
    for need_weights in (True, False):
        out = layer(x, mask=mask, need_weights=need_weights).output
        assert max_difference(out[1], layer.b_o.expand(5, 12)) == 0
        (gradient,) = torch.autograd.grad(out.sum(), x)
        assert torch.isfinite(gradient).all()
    q, k, v = qkv(5, 0)
    assert chunked(q, k, v).abs().max() == 0
    assert linear(q, k, v).abs().max() == 0


@pytest.mark.usefixtures("unchecked")
def test_wrong_arguments_are_refused_with_the_reason():
    q, k, v = qkv(5, 7)
    with pytest.raises(ValueError, match="chunk=0"):
        chunked(q, k, v, 0)
    with pytest.raises(ValueError, match="7 queries but 5 keys"):
        chunked(k, q, v[..., :5, :], causal=True)
    with pytest.raises(ValueError, match="same positions"):
        local(q, k, v, 2)
    with pytest.raises(ValueError, match="same positions"):
        strided(q, k, v, 2)
    with pytest.raises(ValueError, match="7 queries, 5 keys, chunk=3"):
        linear(k, q, v[..., :5, :], causal=True, chunk=3)
    q, k, v = qkv(5)
    with pytest.raises(ValueError, match="chunk=0"):
        linear(q, k, v, causal=True, chunk=0)
    with pytest.raises(ValueError, match="window=-1: expected 0 or more"):
        local(q, k, v, -1)
    with pytest.raises(ValueError, match="stride=0: expected 1 or more"):
        strided(q, k, v, 0)
    with pytest.raises(ValueError, match="same width"):
        chunked(q, k[..., :3], v)
    _, layer = layers()
    x = torch.randn(B, 5, 12)
    with pytest.raises(ValueError, match="hides single pairs"):
        layer(x, mask=window_mask(5, 1), need_weights=False)
    with pytest.raises(ValueError, match="13"):
        layer.attend(torch.randn(B, 5, 13), *layer.keys_values(x))


def test_peak_memory_counts_bytes_that_are_held_at_the_same_time():
    def one_after_the_other():
        for _ in range(3):
            torch.empty(1000, 7, dtype=torch.float32)

    def side_by_side():
        return [torch.empty(1000, 7, dtype=torch.float32) for _ in range(3)]

    assert peak_memory(one_after_the_other) == 28_000
    assert peak_memory(side_by_side) == 3 * 28_000
    assert peak_memory(lambda: None) == 0


def test_peak_memory_of_a_square_and_of_chunks():
    q, k, v = (torch.randn(1, 1024, 16, dtype=torch.float32) for _ in range(3))
    square = 4 * 1024**2
    with torch.no_grad():
        full = peak_memory(lambda: (q @ k.transpose(1, 2)).softmax(-1) @ v)
        pieces = peak_memory(lambda: chunked(q, k, v, chunk=64))
    assert 2 * square <= full < 2.2 * square
    assert pieces < 0.1 * square


def test_nothing_is_printed_while_memory_is_measured(capfd):
    peak_memory(lambda: torch.empty(7))
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")
