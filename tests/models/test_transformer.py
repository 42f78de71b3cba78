"""Transformer layers equal torch's in values and gradients, and keep their word."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_lib.check import max_difference
from course_lib.data.vocabulary import PAD, SOS
from course_lib.models import from_torch
from course_lib.models.attention import causal_mask, padding_mask
from course_lib.models.positions import frequencies, sinusoids
from course_lib.models.transformer import (
    DecoderLayer,
    EncoderLayer,
    FeedForward,
    Transformer,
)
from course_lib.search import beam_search, greedy

B, N, T, H, D_HEAD, D_FF, V = 2, 5, 7, 3, 4, 17, 11
D = H * D_HEAD
MASKS = ["none", "causal", "padding", "random"]


@pytest.fixture(autouse=True)
def _double():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    yield
    torch.set_default_dtype(torch.float32)


def randomised(module: nn.Module) -> nn.Module:
    """torch starts its biases at 0 and its gains at 1, which hides mistakes."""
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.3)
    return module


def a_mask(kind: str, n: int, m: int):
    """True = look; every query sees key 0, since torch.nn answers nan otherwise."""
    if kind == "none":
        return None
    if kind == "causal":
        return (
            causal_mask(n, m) if m >= n else torch.ones(n, m, dtype=torch.bool).tril()
        )
    if kind == "padding":
        return padding_mask(torch.tensor([m, m - 2]), m)
    mask = torch.rand(n, m) < 0.6
    mask[:, 0] = True
    return mask


def told_to_torch(mask, kind: str, names: tuple[str, str]) -> dict:
    """The same mask in torch's words, True = hide: an attention or a padding mask."""
    if mask is None:
        return {}
    full, padding = names
    return {padding: ~mask[:, 0]} if kind == "padding" else {full: ~mask}


def same_gradients(ours, theirs, got, expected, ours_named, leaves) -> None:
    """Of the inputs, and of every weight that has its twin."""
    direction = torch.randn_like(expected)
    pairs = list(ours_named)
    mine = torch.autograd.grad(
        (got * direction).sum(), [*leaves, *(a for a, _ in pairs)]
    )
    twin = torch.autograd.grad(
        (expected * direction).sum(), [*leaves, *(b for _, b in pairs)]
    )
    for a, b in zip(mine, twin, strict=True):
        assert max_difference(a, b) < 1e-10


def twins(ours, theirs, norms):
    """Weights of ours beside those of theirs, without the packed ones."""
    yield ours.attend.W_o, theirs.self_attn.out_proj.weight
    yield ours.attend.b_o, theirs.self_attn.out_proj.bias
    yield ours.feed.first.weight, theirs.linear1.weight
    yield ours.feed.first.bias, theirs.linear1.bias
    yield ours.feed.second.weight, theirs.linear2.weight
    yield ours.feed.second.bias, theirs.linear2.bias
    for name, norm in norms:
        yield getattr(ours, name).weight, norm.weight
        yield getattr(ours, name).bias, norm.bias


def same_packed(attend, theirs, got, expected) -> None:
    """Gradients of W_q, W_k, W_v and their biases against torch's packed blocks."""
    direction = torch.randn_like(expected)
    names = ["W_q", "W_k", "W_v", "b_q", "b_k", "b_v"]
    mine = torch.autograd.grad(
        (got * direction).sum(), [getattr(attend, n) for n in names], retain_graph=True
    )
    W, b = torch.autograd.grad(
        (expected * direction).sum(),
        [theirs.in_proj_weight, theirs.in_proj_bias],
        retain_graph=True,
    )
    for a, c in zip(mine, [*W.chunk(3), *b.chunk(3)], strict=True):
        assert max_difference(a, c) < 1e-10


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_encoder_layer_equals_torch(activation, norm_first, kind):
    theirs = randomised(
        nn.TransformerEncoderLayer(
            D, H, D_FF, 0.0, activation, batch_first=True, norm_first=norm_first
        )
    )
    ours = from_torch.encoder_layer(theirs)
    x = torch.randn(B, N, D, requires_grad=True)
    mask = a_mask(kind, N, N)
    names = ("src_mask", "src_key_padding_mask")
    expected = theirs(x, **told_to_torch(mask, kind, names))
    got = ours(x, mask, need_weights=True)
    assert max_difference(got.output, expected) < 1e-12
    assert max_difference(ours(x, mask).output, expected) < 1e-12
    same_packed(ours.attend, theirs.self_attn, got.output, expected)
    norms = [("norm_attend", theirs.norm1), ("norm_feed", theirs.norm2)]
    pairs = twins(ours, theirs, norms)
    same_gradients(ours, theirs, got.output, expected, pairs, [x])


@pytest.mark.parametrize("memory_kind", ["none", "padding", "random"])
@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("norm_first", [True, False])
def test_decoder_layer_equals_torch(norm_first, kind, memory_kind):
    theirs = randomised(
        nn.TransformerDecoderLayer(
            D, H, D_FF, 0.0, batch_first=True, norm_first=norm_first
        )
    )
    ours = from_torch.decoder_layer(theirs)
    y = torch.randn(B, N, D, requires_grad=True)
    memory = torch.randn(B, T, D, requires_grad=True)
    mask, memory_mask = a_mask(kind, N, N), a_mask(memory_kind, N, T)
    expected = theirs(
        y,
        memory,
        **told_to_torch(mask, kind, ("tgt_mask", "tgt_key_padding_mask")),
        **told_to_torch(
            memory_mask, memory_kind, ("memory_mask", "memory_key_padding_mask")
        ),
    )
    got = ours(y, memory, mask, memory_mask, need_weights=True).output
    assert max_difference(got, expected) < 1e-12
    same_packed(ours.attend, theirs.self_attn, got, expected)
    same_packed(ours.cross, theirs.multihead_attn, got, expected)
    norms = zip(
        ("norm_attend", "norm_cross", "norm_feed"),
        (theirs.norm1, theirs.norm2, theirs.norm3),
        strict=True,
    )
    pairs = twins(ours, theirs, norms)
    same_gradients(ours, theirs, got, expected, pairs, [y, memory])


def test_the_two_orders_of_the_norm_are_told_apart():
    first = randomised(EncoderLayer(D, H, D_FF, norm_first=True))
    after = EncoderLayer(D, H, D_FF, norm_first=False)
    after.load_state_dict(first.state_dict())
    x = torch.randn(B, N, D)
    assert max_difference(first(x).output, after(x).output) > 0.1


def test_weights_are_returned_when_asked_for():
    x, memory = torch.randn(B, N, D), torch.randn(B, T, D)
    layer = DecoderLayer(D, H, D_FF)
    told = layer(x, memory, causal_mask(N), need_weights=True)
    assert told.weights.shape == (B, H, N, N)
    assert told.cross_weights.shape == (B, H, N, T)
    assert max_difference(told.cross_weights.sum(-1), torch.ones(B, H, N)) < 1e-12
    assert layer(x, memory).weights is None
    assert layer(x, memory).cross_weights is None


@pytest.mark.parametrize("norm_first", [True, False])
def test_step_by_step_with_kept_keys_equals_all_at_once(norm_first):
    layer = randomised(DecoderLayer(D, H, D_FF, norm_first))
    y, memory = torch.randn(B, N, D), torch.randn(B, T, D)
    whole = layer(y, memory, causal_mask(N)).output
    read, past, steps = layer.keys_values(memory), None, []
    for n in range(N):
        out = layer(y[:, n : n + 1], read, past=past)
        past = out.kept
        steps.append(out.output)
    assert max_difference(torch.cat(steps, dim=1), whole) < 1e-12
    assert past.k.shape == (B, H, N, D_HEAD)


def test_two_positions_may_follow_three_kept_ones():
    layer = randomised(EncoderLayer(D, H, D_FF))
    x = torch.randn(B, 5, D)
    whole = layer(x, causal_mask(5)).output
    kept = layer(x[:, :3], causal_mask(3)).kept
    rest = layer(x[:, 3:], causal_mask(2, 5), kept).output
    assert max_difference(rest, whole[:, 3:]) < 1e-12


def test_a_row_that_may_look_nowhere_stays_finite():
    layer = randomised(EncoderLayer(D, H, D_FF))
    x = torch.randn(B, N, D, requires_grad=True)
    mask = torch.ones(N, N, dtype=torch.bool)
    mask[2] = False
    for need_weights in (True, False):
        out = layer(x, mask, need_weights=need_weights).output
        (gradient,) = torch.autograd.grad(out.sum(), x)
        assert torch.isfinite(out).all()
        assert torch.isfinite(gradient).all()


@pytest.mark.parametrize(("batch", "steps"), [(0, 5), (2, 1), (2, 0)])
def test_empty_batches_and_short_sequences_keep_their_shapes(batch, steps):
    x = torch.randn(batch, steps, D)
    assert EncoderLayer(D, H, D_FF)(x).output.shape == x.shape
    memory = torch.randn(batch, T, D)
    assert DecoderLayer(D, H, D_FF)(x, memory).output.shape == x.shape


@pytest.mark.usefixtures("unchecked")
def test_wrong_widths_are_refused_with_the_shapes():
    with pytest.raises(ValueError, match="13"):
        EncoderLayer(D, H, D_FF, norm_first=False)(torch.randn(B, N, 13))
    with pytest.raises(ValueError, match="13"):
        DecoderLayer(D, H, D_FF)(torch.randn(B, N, D), torch.randn(B, T, 13))
    with pytest.raises(ValueError, match="heads=5"):
        EncoderLayer(D, 5, D_FF)


def test_feed_forward_treats_every_position_alike():
    feed = FeedForward(D, D_FF, F.gelu)
    x = torch.randn(B, N, D)
    rows = torch.stack([feed(x[:, n]) for n in range(N)], dim=1)
    assert max_difference(feed(x), rows) < 1e-14


def tokens(rows: int, columns: int, lengths=()):
    made = torch.randint(3, V, (rows, columns))
    for row, length in enumerate(lengths):
        made[row, length:] = PAD
    return made


@pytest.mark.parametrize("norm_first", [True, False])
def test_whole_model_is_its_layers_in_a_row_and_steps_equal_the_whole(norm_first):
    model = randomised(Transformer(V, V + 2, D, H, D_FF, 2, norm_first))
    source, target = tokens(B, T, [7, 4]), tokens(B, N)
    memory = model.encode(source)
    x = model.read_in(source) * D**0.5 + sinusoids(T, D)
    for layer in model.encoder:
        x = layer(x, (source != PAD)[:, None]).output
    assert max_difference(memory, model.norm_encoder(x)) < 1e-12
    step, state = model.decoder(source)
    previous, parts = torch.full((B,), SOS), []
    for n in range(N):
        log_p, state = step(previous, state)
        parts.append(log_p)
        previous = target[:, n]
    together = model(source, target).log_softmax(dim=2)
    assert max_difference(torch.stack(parts, dim=1), together) < 1e-12


def test_later_words_and_padding_do_not_leak():
    model = randomised(Transformer(V, V, D, H, D_FF, 2))
    source, target = tokens(B, T, [7, 4]), tokens(B, N)
    before = model(source, target)
    changed = target.clone()
    changed[:, 3] = (changed[:, 3] + 1) % V
    after = model(source, changed)
    assert max_difference(before[:, :4], after[:, :4]) == 0
    assert max_difference(before[:, 4:], after[:, 4:]) > 1e-3
    longer = F.pad(source, (0, 3), value=PAD)
    assert max_difference(model(longer, target), before) < 1e-12


def test_searches_use_it_and_beam_of_one_is_greedy():
    model = randomised(Transformer(V, V, D, H, D_FF, 1))
    source = tokens(B, T)
    one = greedy(*model.decoder(source), B, 6)
    beam = beam_search(*model.decoder(source), B, 6, width=1)
    assert torch.equal(one.tokens, beam.tokens[:, 0])
    wide = beam_search(*model.decoder(source), B, 6, width=3)
    assert (wide.log_p[:, 0] >= one.log_p - 1e-9).all()


def test_loss_leaves_padding_out():
    model = randomised(Transformer(V, V, D, H, D_FF, 1))
    source, target = tokens(B, T), tokens(B, N, [5, 3])
    log_p = model(source, target).log_softmax(dim=2)
    own = log_p.gather(2, target[..., None])[..., 0]
    expected = -torch.cat([own[0], own[1, :3]]).mean()
    assert max_difference(model.loss(source, target), expected) < 1e-12


def test_sinusoids_are_sines_and_cosines_of_falling_frequencies():
    table = sinusoids(13, 6, start=2)
    for row, n in enumerate(range(2, 15)):
        for i in range(3):
            angle = torch.tensor(n / 10_000 ** (2 * i / 6))
            assert max_difference(table[row, 2 * i], angle.sin()) < 1e-12
            assert max_difference(table[row, 2 * i + 1], angle.cos()) < 1e-12
    assert frequencies(6)[0] == 1
    with pytest.raises(ValueError, match="even"):
        frequencies(5)
