"""The modern block is transformers' Llama layer, and its cache changes nothing."""

import pytest
import torch
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.models.llama import modeling_llama as llama

from course_lib.models.modern import (
    GroupedAttention,
    ModernBlock,
    ModernLM,
    RMSNorm,
    angles,
    rotate,
    wide,
)

DOUBLE = torch.float64
HEADS = [(7, 7), (6, 3), (6, 2), (6, 1)]  # many, grouped, grouped, one


def theirs_and_ours(heads: int, kv_heads: int, d_h: int = 10, layers: int = 1):
    """transformers' Llama with random weights, and a ModernLM with the same."""
    d, V = heads * d_h, 53
    config = LlamaConfig(
        vocab_size=V,
        hidden_size=d,
        intermediate_size=wide(d),
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        rms_norm_eps=1e-5,
        tie_word_embeddings=True,
        attn_implementation="eager",
    )
    torch.manual_seed(3)
    theirs = LlamaForCausalLM(config).to(DOUBLE).eval()
    for parameter in theirs.parameters():
        nn.init.normal_(parameter, std=0.4)
    ours = ModernLM(V, d, heads, kv_heads, layers).to(DOUBLE)
    copied = [p.detach().clone() for p in matching(theirs)]
    with torch.no_grad():
        for mine, other in zip(ordered(ours), copied, strict=True):
            mine.copy_(other)
    return theirs, ours


def matching(theirs: LlamaForCausalLM) -> list[nn.Parameter]:
    listed = [theirs.model.embed_tokens.weight, theirs.model.norm.weight]
    for layer in theirs.model.layers:
        a, m = layer.self_attn, layer.mlp
        listed += [layer.input_layernorm.weight, layer.post_attention_layernorm.weight]
        listed += [p.weight for p in (a.q_proj, a.k_proj, a.v_proj, a.o_proj)]
        listed += [p.weight for p in (m.gate_proj, m.up_proj, m.down_proj)]
    return listed


def ordered(ours: ModernLM) -> list[nn.Parameter]:
    listed = [ours.embed.weight, ours.norm.gain]
    for block in ours.blocks:
        assert isinstance(block, ModernBlock)
        a, m = block.attend, block.feed
        listed += [block.norm_1.gain, block.norm_2.gain]
        listed += [p.weight for p in (a.W_q, a.W_k, a.W_v, a.W_o, m.gate, m.up, m.down)]
    return listed


@pytest.mark.parametrize(("heads", "kv_heads"), HEADS)
def test_block_and_model_are_those_of_transformers_gradients_too(heads, kv_heads):
    theirs, ours = theirs_and_ours(heads, kv_heads, layers=2)
    rows = torch.randint(53, (3, 11))
    expected = theirs(rows).logits
    torch.testing.assert_close(ours(rows), expected, rtol=0, atol=1e-5)
    pull = torch.randn_like(expected)
    wanted = torch.autograd.grad(expected, matching(theirs), pull)
    got = torch.autograd.grad(ours(rows), ordered(ours), pull)
    for mine, other in zip(got, wanted, strict=True):
        scale = other.abs().max()  # their norms compute in single precision
        torch.testing.assert_close(mine / scale, other / scale, rtol=0, atol=1e-5)


def test_one_layer_in_single_precision_within_1e_5():
    theirs, ours = theirs_and_ours(6, 2)
    theirs, ours = theirs.float(), ours.float()
    x, at = 0.5 * torch.randn(2, 13, 60), torch.arange(13)[None]
    turns = theirs.model.rotary_emb(x, at)
    mask = torch.full((13, 13), float("-inf")).triu(1)[None, None]
    theirs_out = theirs.model.layers[0](
        x, attention_mask=mask, position_embeddings=turns
    )
    theirs_out = theirs_out if torch.is_tensor(theirs_out) else theirs_out[0]
    scale = theirs_out.abs().max()
    got = ours.blocks[0](x)
    torch.testing.assert_close(got / scale, theirs_out / scale, rtol=0, atol=1e-5)


def test_the_parts_are_those_of_torch_and_transformers():
    x = torch.randn(2, 5, 12, dtype=DOUBLE)
    ours, torchs = RMSNorm(12).to(DOUBLE), nn.RMSNorm(12, eps=1e-5, dtype=DOUBLE)
    torch.testing.assert_close(ours(x), torchs(x))
    q = torch.randn(1, 3, 7, 10, dtype=DOUBLE)
    angle = angles(7, 10, dtype=DOUBLE)
    twice = torch.cat([angle, angle], dim=-1)
    expected, _ = llama.apply_rotary_pos_emb(q, q, twice.cos()[None], twice.sin()[None])
    torch.testing.assert_close(rotate(q, angle), expected)


def test_scores_depend_on_the_distance_alone():
    q, k = torch.randn(2, 1, 10, dtype=DOUBLE)
    far = angles(200, 10, dtype=DOUBLE)

    def score(n: int, m: int) -> torch.Tensor:
        return rotate(q, far[n : n + 1]) @ rotate(k, far[m : m + 1]).T

    torch.testing.assert_close(score(5, 2), score(190, 187))
    assert (score(5, 2) - score(5, 3)).abs() > 1e-3


@pytest.mark.parametrize(("heads", "kv_heads"), HEADS)
def test_writing_with_a_cache_gives_the_same_logits(heads, kv_heads):
    torch.manual_seed(1)
    model = ModernLM(53, 10 * heads, heads, kv_heads, 2).to(DOUBLE)
    rows = torch.randint(53, (2, 13))
    caches = model.caches(2, 17)
    with torch.no_grad():
        pieces = [model(part, caches) for part in rows.split([5, 1, 4, 1, 2], dim=1)]
        torch.testing.assert_close(torch.cat(pieces, dim=1), model(rows))
    assert caches[0].bytes == 2 * 2 * kv_heads * 17 * 10 * 8
    with pytest.raises(ValueError, match="room for 17"):
        model(rows, caches)


def test_the_past_never_hears_of_the_future():
    model = ModernLM(53, 12, 2, 1, 2)
    rows = torch.randint(53, (1, 9))
    other = rows.clone()
    other[0, 6] = (other[0, 6] + 1) % 53
    with torch.no_grad():
        a, b = model(rows), model(other)
    assert torch.equal(a[:, :6], b[:, :6])
    assert not torch.equal(a[:, 6:], b[:, 6:])


def test_sizes_that_cannot_be_are_named():
    with pytest.raises(ValueError, match="pairs of columns"):
        angles(5, 7)
    with pytest.raises(ValueError, match="heads=5"):
        GroupedAttention(12, 5, 1)
    with pytest.raises(ValueError, match="kv_heads=2"):
        GroupedAttention(15, 3, 2)


def test_size_leaves_out_the_embedding():
    model = ModernLM(53, 12, 2, 1, 3)
    block = 12 * 12 + 2 * 6 * 12 + 12 * 12 + 3 * 12 * wide(12) + 2 * 12
    assert model.size == 3 * block + 12
