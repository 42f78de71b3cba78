"""Additive attention against its formula, loop by loop, and against itself."""

import pytest
import torch

from course_lib.data.vocabulary import EOS, padded
from course_lib.models.additive import (
    AdditiveAttention,
    AttentionSeq2Seq,
    FeatureEncoder,
    FixedContext,
)
from course_lib.models.losses import shifted
from course_lib.search import greedy

B, T, D_Q, D_F, D_A = 3, 5, 7, 11, 13
SOURCE = padded([[3, 4, 5, EOS], [6, EOS], [7, 8, 9, 10, 3, EOS]])
TARGET = padded([[3, 12, EOS], [4, 5, 6, 7, EOS], [EOS]])


@pytest.fixture
def attention():
    torch.manual_seed(2)
    return AdditiveAttention(D_Q, D_F, D_A).double()


@pytest.fixture
def model():
    torch.manual_seed(3)
    return AttentionSeq2Seq(11, 13, 5, 14).double()


@pytest.fixture
def inputs():
    generator = torch.Generator().manual_seed(5)
    draw = lambda *shape: torch.randn(  # noqa: E731
        *shape, generator=generator, dtype=torch.float64
    )
    mask = torch.arange(T) < torch.tensor([[5], [2], [1]])
    return draw(B, D_Q), draw(B, T, D_F), mask


def test_the_formula_written_as_loops(attention, inputs):
    query, f, mask = inputs
    context, weights = attention(query, attention.look_at(f, mask))
    W = torch.cat([attention.W_q.weight, attention.W_k.weight], dim=1)
    for b in range(B):
        e = []
        for t in range(int(mask[b].sum())):
            pair = torch.cat([query[b], f[b, t]])
            hidden = torch.tanh(W @ pair + attention.W_q.bias)
            e.append((attention.w.weight[0] * hidden).sum().exp())
        expected = torch.stack(e) / sum(e)
        torch.testing.assert_close(weights[b, : len(e)], expected)
        assert weights[b, len(e) :].eq(0).all()
        pooled = sum(a * f[b, t] for t, a in enumerate(expected))
        torch.testing.assert_close(context[b], pooled)


def test_the_features_are_a_set(attention, inputs):
    query, f, mask = inputs
    order = torch.tensor([3, 0, 4, 2, 1])
    context, weights = attention(query, attention.look_at(f, mask))
    other, moved = attention(query, attention.look_at(f[:, order], mask[:, order]))
    torch.testing.assert_close(other, context)
    torch.testing.assert_close(moved, weights[:, order])


def test_gradients_reach_every_parameter_and_pass_gradcheck(attention, inputs):
    query, f, mask = (
        x.requires_grad_() if x.is_floating_point() else x for x in inputs
    )
    run = lambda q, f: attention(q, attention.look_at(f, mask))  # noqa: E731
    assert torch.autograd.gradcheck(run, (query, f))
    (run(query, f)[0] ** 2).sum().backward()
    for name, parameter in attention.named_parameters():
        assert parameter.grad.abs().max() > 0, name


def test_a_row_without_anything_to_see_is_refused(attention, inputs):
    _, f, mask = inputs
    with pytest.raises(ValueError, match=r"rows \[1\] have nothing to look at"):
        attention.look_at(f, mask & torch.tensor([[True], [False], [True]]))
    with pytest.raises(ValueError, match=r"mask of shape \(3, 4\)"):
        attention.look_at(f, mask[:, :4])


def test_padding_changes_nothing(model):
    logits, weights = model(SOURCE, TARGET)
    for row, count, read in ((0, 3, 4), (1, 5, 2), (2, 1, 6)):
        alone, looked = model(
            SOURCE[row : row + 1, :read], TARGET[row : row + 1, :count]
        )
        torch.testing.assert_close(alone[0], logits[row, :count])
        torch.testing.assert_close(looked[0], weights[row, :count, :read])
        assert weights[row, :, read:].eq(0).all()


def test_teacher_forcing_is_the_steps_one_after_the_other(model):
    logits, weights = model(SOURCE, TARGET)
    state, features = model.look(SOURCE)
    for t, previous in enumerate(shifted(TARGET).T):
        log_p, state, looked = model.decode.step(previous, state, features)
        torch.testing.assert_close(log_p, logits[:, t].log_softmax(dim=1))
        torch.testing.assert_close(looked, weights[:, t])


def test_a_search_over_the_batch_equals_one_over_each_row(model):
    step, state = model.decoder(SOURCE)
    tokens = greedy(step, state, len(SOURCE), 7).tokens
    for row in range(len(SOURCE)):
        step, state = model.decoder(SOURCE[row : row + 1])
        alone = greedy(step, state, 1, 7).tokens[0]
        assert alone.tolist() == tokens[row, : len(alone)].tolist()


def test_every_feature_sees_every_word(model):
    """The first feature changes with the last token, the last with the first."""
    f = model.encode(SOURCE)
    for changed, seen in ((0, 3), (2, 0)):
        other = SOURCE.clone()
        other[0, changed] = 9
        assert (model.encode(other)[0, seen] - f[0, seen]).abs().max() > 1e-4


def test_what_cannot_be_encoded_is_refused(model):
    with pytest.raises(ValueError, match="empty row"):
        model.encode(padded([[EOS], []]))
    with pytest.raises(ValueError, match="d_f=7 must be even"):
        FeatureEncoder(11, 7)


def test_the_loss_leaves_padding_out_and_reaches_everything(model):
    longer = torch.nn.functional.pad(TARGET, (0, 2))
    loss = model.loss(SOURCE, TARGET)
    torch.testing.assert_close(model.loss(SOURCE, longer), loss)
    loss.backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.abs().max() > 0, name


@pytest.mark.parametrize("two_way", [False, True])
def test_a_fixed_context_does_not_listen_to_the_query(inputs, two_way):
    query, f, mask = inputs
    f = torch.cat([f, f[..., :1]], dim=2)  # an even width
    for kind in ("last", "mean"):
        fixed = FixedContext(kind, two_way)
        context, weights = fixed(query, fixed.look_at(f, mask))
        assert torch.equal(fixed(-query, fixed.look_at(f, mask))[0], context)
        torch.testing.assert_close(weights.sum(dim=1), torch.ones(B).to(weights))
        assert weights[~mask].eq(0).all()


def test_the_last_state_is_where_each_reader_arrives(inputs):
    _, f, mask = inputs
    f, counts = f[..., :10], mask.sum(dim=1)
    one, two = (FixedContext("last", two_way) for two_way in (False, True))
    forwards = one(f[:, 0], one.look_at(f, mask))[0]
    both = two(f[:, 0], two.look_at(f, mask))[0]
    for b in range(B):
        assert torch.equal(forwards[b], f[b, counts[b] - 1])
        assert torch.equal(both[b], torch.cat([f[b, counts[b] - 1, :5], f[b, 0, 5:]]))
    mean = FixedContext("mean", two_way=False)
    expected = torch.stack([f[b, : counts[b]].mean(dim=0) for b in range(B)])
    torch.testing.assert_close(mean(f[:, 0], mean.look_at(f, mask))[0], expected)
    with pytest.raises(ValueError, match="last or mean, not 'first'"):
        FixedContext("first", two_way=False)


@pytest.mark.parametrize("context", ["attention", "last", "mean"])
@pytest.mark.parametrize("two_way", [False, True])
def test_padding_changes_nothing_in_the_ablation(context, two_way):
    torch.manual_seed(3)
    model = AttentionSeq2Seq(11, 13, 5, 14, two_way, added=False, context=context)
    logits, _ = model.double()(SOURCE, TARGET)
    alone, _ = model(SOURCE[1:2, :2], TARGET[1:2])
    torch.testing.assert_close(alone[0], logits[1])


def test_a_one_way_feature_does_not_see_what_follows():
    torch.manual_seed(3)
    encode = FeatureEncoder(11, 7, two_way=False, added=True)
    other = SOURCE.clone()
    other[0, 2] = 9
    same = encode(other)[0] == encode(SOURCE)[0]
    assert same.all(dim=1).tolist() == [True, True, False, False, True, True]
