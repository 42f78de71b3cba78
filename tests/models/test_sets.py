"""Set Transformer blocks: their formulas, their symmetries, their edges, their cost."""

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from course_lib.check import max_difference
from course_lib.models.attention import padding_mask
from course_lib.models.sets import ISAB, MAB, PMA, SAB

B, N, M, K, H, D = 2, 7, 5, 3, 11, 22  # D is shared out to the H heads
BLOCKS = [SAB(D, H), ISAB(D, H, M), PMA(D, H, K)]
names = {"ids": lambda block: type(block).__name__}


@pytest.fixture(autouse=True)
def _double():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    for block in BLOCKS:
        block.double()
    yield
    torch.set_default_dtype(torch.float32)


def by_torch(block: MAB, x, y, hidden=None):
    """The same block made of torch's own layers."""
    attend = nn.MultiheadAttention(D, H, batch_first=True)
    ours = block.attend
    with torch.no_grad():
        attend.in_proj_weight.copy_(torch.cat([ours.W_q, ours.W_k, ours.W_v]))
        attend.in_proj_bias.copy_(torch.cat([ours.b_q, ours.b_k, ours.b_v]))
        attend.out_proj.weight.copy_(ours.W_o)
        attend.out_proj.bias.copy_(ours.b_o)
    read, weights = attend(x, y, y, key_padding_mask=hidden, average_attn_weights=False)
    h = block.norm_1(x + read)
    return block.norm_2(h + block.feed(h)), weights


def test_mab_equals_torch_in_values_weights_and_gradients():
    block = MAB(D, H)
    x = torch.randn(B, N, D, requires_grad=True)
    y = torch.randn(B, M, D, requires_grad=True)
    hidden = torch.tensor([[False] * M, [False, False, True, True, True]])
    out, weights = block(x, y, ~hidden[:, None])
    expected, torch_weights = by_torch(block, x, y, hidden)
    assert max_difference(out, expected) < 1e-12
    assert max_difference(weights, torch_weights) < 1e-12
    direction = torch.randn(B, N, D)
    ours = torch.autograd.grad((out * direction).sum(), (x, y))
    theirs = torch.autograd.grad((expected * direction).sum(), (x, y))
    for a, b in zip(ours, theirs, strict=True):
        assert max_difference(a, b) < 1e-12


def test_the_others_are_made_of_mab():
    x = torch.randn(B, N, D)
    sab, isab, pma = BLOCKS
    assert max_difference(sab(x).output, sab.block(x, x).output) == 0
    points = isab.points[None].repeat(B, 1, 1)
    summary = isab.gather(points, x).output
    assert max_difference(isab(x).summary, summary) == 0
    assert max_difference(isab(x).output, isab.give_back(x, summary).output) == 0
    seeds = pma.seeds[None].repeat(B, 1, 1)
    assert max_difference(pma(x).output, pma.read(seeds, pma.prepare(x)).output) == 0


def test_shapes_of_outputs_and_weights():
    x = torch.randn(B, N, D)
    sab, isab, pma = (block(x) for block in BLOCKS)
    assert sab.output.shape == isab.output.shape == (B, N, D)
    assert sab.weights.shape == (B, H, N, N)
    assert isab.summary.shape == (B, M, D)
    assert isab.gathered.shape == (B, H, M, N)
    assert isab.returned.shape == (B, H, N, M)
    assert pma.output.shape == (B, K, D)
    assert pma.weights.shape == (B, H, K, N)


@pytest.mark.parametrize("block", BLOCKS, **names)
def test_shuffled_sets(block):
    """SAB and ISAB: equally shuffled out; PMA: no change. Gradients alike."""
    x = torch.randn(B, N, D, requires_grad=True)
    order = torch.tensor([3, 0, 6, 1, 5, 4, 2])
    expected = block(x).output
    if not isinstance(block, PMA):
        expected = expected[:, order]
    got = block(x[:, order]).output
    assert max_difference(got, expected) < 1e-12
    direction = torch.randn(expected.shape)
    (a,) = torch.autograd.grad((got * direction).sum(), x)
    (b,) = torch.autograd.grad((expected * direction).sum(), x)
    assert max_difference(a, b) < 1e-12


@pytest.mark.parametrize("block", BLOCKS, **names)
def test_padding_is_not_seen(block):
    sizes = torch.tensor([N, 4])
    x = torch.randn(B, N, D)
    mask = padding_mask(sizes, N)
    out = block(x, mask).output
    for b, size in enumerate(sizes.tolist()):
        alone = block(x[b : b + 1, :size]).output[0]
        rows = alone.shape[0]
        assert max_difference(out[b, :rows], alone) < 1e-12
    changed = x.clone()
    changed[1, 4:] = 1e3
    again = block(changed, mask).output
    rows = K if isinstance(block, PMA) else 4
    assert max_difference(again[1, :rows], out[1, :rows]) < 1e-12


@pytest.mark.parametrize("block", BLOCKS, **names)
def test_an_empty_set_and_an_empty_batch_pass(block):
    x = torch.randn(B, N, D, requires_grad=True)
    out = block(x, padding_mask(torch.tensor([N, 0]), N)).output
    assert out.isfinite().all()
    (gradient,) = torch.autograd.grad(out.sum(), x)
    assert gradient.isfinite().all()
    assert len(block(torch.empty(0, N, D)).output) == 0
    nothing = block(torch.empty(B, 0, D)).output
    assert nothing.shape[1] == (K if isinstance(block, PMA) else 0)
    assert nothing.isfinite().all()


@pytest.mark.parametrize("block", BLOCKS, **names)
def test_without_weights_the_same_output(block):
    x = torch.randn(B, N, D)
    mask = padding_mask(torch.tensor([N, 4]), N)
    fast = block(x, mask, need_weights=False)
    assert max_difference(fast.output, block(x, mask).output) < 1e-12
    rest = fast[2:] if isinstance(block, ISAB) else fast[1:]
    assert all(weights is None for weights in rest)


def test_one_inducing_point_leaves_no_choice():
    back = ISAB(D, H, 1)(torch.randn(B, N, D)).returned
    assert max_difference(back, torch.ones(B, H, N, 1)) == 0


def test_a_doubled_set_is_pooled_to_the_same():
    pma, x = BLOCKS[2], torch.randn(B, N, D)
    twice = torch.cat([x, x], dim=1)
    assert max_difference(pma(twice).output, pma(x).output) < 1e-12


def multiply_adds(block, n: int) -> int:
    with FlopCounterMode(display=False) as counter:
        block(torch.zeros(1, n, D))
    return counter.get_total_flops() // 2


def test_isab_is_linear_in_the_number_of_elements_and_sab_is_not():
    sab, isab, _ = BLOCKS
    for n in (N, 31, 131):
        projections = 8 * D**2  # four of attention, two of d_ff = 2 d_model
        assert multiply_adds(sab, n) == n * projections + 2 * n * n * D
        assert multiply_adds(isab, n) == (n + M) * projections + 4 * n * M * D


def test_everything_learned_gets_a_gradient():
    for block in BLOCKS:
        out = block(torch.randn(B, N, D)).output
        (out * torch.randn(out.shape)).sum().backward()
        for name, parameter in block.named_parameters():
            if name.endswith("b_k"):  # moves all scores of a query alike
                continue
            assert parameter.grad.abs().max() > 1e-9, name


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("block", BLOCKS, **names)
def test_wrong_shapes_are_named(block):
    with pytest.raises(ValueError, match=rf"\({B}, {N}, {D - 1}\).*={D}\)"):
        block(torch.zeros(B, N, D - 1))
    with pytest.raises(ValueError, match=rf"\({N}, {D}\), expected"):
        block(torch.zeros(N, D))
    with pytest.raises(ValueError, match=r"torch\.float64, expected torch\.bool"):
        block(torch.zeros(B, N, D), torch.ones(B, 1, N))


def test_sizes_without_meaning_are_refused():
    with pytest.raises(ValueError, match="inducing=0: at least one row"):
        ISAB(D, H, 0)
    with pytest.raises(ValueError, match="seeds=0: at least one row"):
        PMA(D, H, 0)
    with pytest.raises(ValueError, match=f"d_model={D} .* heads=3"):
        SAB(D, 3)
