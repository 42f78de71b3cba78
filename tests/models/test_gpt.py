"""The GPT equals transformers' GPT-2, token by token as well; padding is not read."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_lib.check import max_difference
from course_lib.data.vocabulary import EOS, PAD, SOS
from course_lib.models import from_gpt2
from course_lib.models.gpt import GPT, Prompted, continued
from course_lib.search import beam_search, greedy

B, N, H, D_HEAD, L, V, C = 2, 7, 3, 4, 2, 23, 13
D = H * D_HEAD


@pytest.fixture(autouse=True)
def _double():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    yield
    torch.set_default_dtype(torch.float32)


def randomised(module: nn.Module) -> nn.Module:
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.3)
    return module


def made(**sizes) -> GPT:
    return randomised(GPT(V, D, H, L, C, **sizes))


def tokens(*shape: int) -> torch.Tensor:
    return torch.randint(3, V, shape)


@pytest.mark.slow
def test_equals_gpt2_of_transformers_in_scores_loss_and_gradients():
    transformers = pytest.importorskip("transformers")
    shape = transformers.GPT2Config(
        vocab_size=V,
        n_positions=C,
        n_embd=D,
        n_layer=L,
        n_head=H,
        resid_pdrop=0,
        embd_pdrop=0,
        attn_pdrop=0,
        bos_token_id=0,
        eos_token_id=0,
    )
    theirs = randomised(transformers.GPT2LMHeadModel(shape).double())
    ours = from_gpt2.gpt(theirs)
    rows = tokens(B, N)
    logits = theirs(input_ids=rows).logits
    assert max_difference(ours(rows), logits) < 1e-12
    loss = ours.loss(rows)
    expected = F.cross_entropy(logits[:, :-1].flatten(0, 1), rows[:, 1:].flatten())
    assert max_difference(loss, expected) < 1e-12
    loss.backward()
    expected.backward()
    twins = from_gpt2.renamed({n: p.grad for n, p in theirs.named_parameters()}, L)
    assert set(twins) == {name for name, _ in ours.named_parameters()}
    for name, parameter in ours.named_parameters():
        assert max_difference(parameter.grad, twins[name]) < 1e-12, name


def test_later_words_do_not_leak():
    model, rows = made(), tokens(B, N)
    before = model(rows)
    rows[:, 4] = (rows[:, 4] + 1) % V
    after = model(rows)
    assert max_difference(before[:, :4], after[:, :4]) == 0
    assert max_difference(before[:, 4:], after[:, 4:]) > 1e-3


def test_word_by_word_equals_all_at_once():
    model, rows = made(), tokens(B, N)
    whole = model(rows).log_softmax(dim=2)
    step, state = model.decoder(rows[:, :3])
    for n in range(3, N):
        log_p, state = step(rows[:, n], state)
        assert max_difference(log_p, whole[:, n]) < 1e-12
    assert state.kept[0].k.shape == (B, H, N, D_HEAD)


def test_padding_may_stand_anywhere():
    model, rows = made(), tokens(1, 5)
    alone = model(rows)
    real = torch.tensor([[False, True, True, False, False, True, True, True]])
    padded = torch.full((1, 8), PAD)
    padded[real] = rows[0]
    assert max_difference(model(padded, real)[real], alone[0]) < 1e-12
    step, state = model.decoder(padded, real)
    expected = model(torch.cat([rows, torch.tensor([[4]])], dim=1))[:, -1]
    got, _ = step(torch.tensor([4]), state)
    assert max_difference(got, expected.log_softmax(dim=1)) < 1e-12


def test_loss_asks_for_what_is_asked():
    model, rows = made(), tokens(B, N)
    log_p = model(rows)[:, :-1].log_softmax(dim=2)
    own = -log_p.gather(2, rows[:, 1:, None])[..., 0]
    assert max_difference(model.loss(rows), own.mean()) < 1e-12
    asked = torch.zeros(B, N, dtype=torch.bool)
    asked[0, 3:5] = asked[1, 6] = True
    expected = torch.stack([own[0, 2], own[0, 3], own[1, 5]]).mean()
    assert max_difference(model.loss(rows, asked), expected) < 1e-12


def test_parameters_are_those_of_the_formula_whatever_the_heads():
    for heads in (1, 2, 4):
        with torch.device("meta"):
            model = GPT(50257, 768, heads, 12, 1024)
        assert sum(p.numel() for p in model.parameters()) == 124_439_808


def test_texts_longer_than_the_context_are_refused():
    model = made()
    with pytest.raises(ValueError, match="14 tokens.*context=13"):
        model(tokens(1, C + 1))
    step, state = model.decoder(tokens(1, C))
    with pytest.raises(ValueError, match="context=13"):
        step(tokens(1), state)
    real = torch.ones(1, C + 1, dtype=torch.bool)
    real[0, 0] = False  # padding takes no position
    assert model(tokens(1, C + 1), real).shape == (1, C + 1, V)


@pytest.mark.parametrize(("batch", "length"), [(0, 5), (2, 0), (2, 1)])
def test_empty_batches_and_empty_texts_keep_their_shapes(batch, length):
    assert made()(tokens(batch, length)).shape == (batch, length, V)


@pytest.mark.usefixtures("unchecked")
def test_wrong_shapes_are_refused_with_the_shapes():
    with pytest.raises(ValueError, match=r"\(7,\)"):
        made()(tokens(7))
    with pytest.raises(ValueError, match="heads=5"):
        GPT(V, D, 5)


def test_continued_at_temperature_zero_is_greedy_and_stops():
    model, prompt = made(), tokens(4)
    free = continued(model, prompt, 6, temperature=0)
    rows = prompt[None]
    for token in free:
        assert model(rows)[0, -1].argmax() == token
        rows = torch.cat([rows, token[None, None]], dim=1)
    stopped = continued(model, prompt, 6, temperature=0, stop=int(free[0]))
    assert stopped.tolist() == free[:1].tolist()
    assert len(continued(model, prompt, 3, temperature=0)) == 3


def test_continued_draws_with_the_generator_and_cold_is_greedy():
    model, prompt = made(), tokens(4)
    draw = lambda seed, t: continued(  # noqa: E731
        model, prompt, 6, t, generator=torch.Generator().manual_seed(seed)
    ).tolist()
    assert draw(1, 2.0) == draw(1, 2.0)
    assert len({tuple(draw(seed, 3.0)) for seed in range(9)}) > 3
    assert draw(3, 1e-6) == continued(model, prompt, 6, temperature=0).tolist()
    with pytest.raises(ValueError, match="empty prompt"):
        continued(model, prompt[:0], 3)


def a_pair():
    source = torch.tensor([[5, 6, 7, EOS, PAD, PAD], [8, 4, 3, 5, 6, EOS]])
    target = torch.tensor([[3, 9, EOS, PAD], [4, 4, 8, EOS]])
    return source, target


def test_prompted_asks_only_for_the_target_and_pads_do_not_matter():
    model = randomised(Prompted(11, 13, d_model=D, heads=H, context=31))
    source, target = a_pair()
    expected = []
    for s, t in zip(source, target, strict=True):
        s, t = s[s != PAD], t[t != PAD]
        row = torch.cat([s + 13, torch.tensor([SOS]), t])
        log_p = model.gpt(row[None])[0].log_softmax(dim=1)
        expected += [-log_p[len(s) + k, token] for k, token in enumerate(t)]
    loss = model.loss(source, target)
    assert max_difference(loss, torch.stack(expected).mean()) < 1e-12
    wider = model.loss(F.pad(source, (0, 3)), F.pad(target, (0, 2)))
    assert max_difference(wider, loss) < 1e-12


def test_prompted_is_searched_like_every_translator():
    model = randomised(Prompted(11, 13, d_model=D, heads=H, context=31))
    source, target = a_pair()
    step, state = model.decoder(source)
    previous, parts = torch.full((2,), SOS), []
    for n in range(4):
        log_p, state = step(previous, state)
        parts.append(log_p)
        previous = target[:, n]
    own = torch.stack(parts, dim=1).gather(2, target[..., None])[..., 0]
    expected = -own[target != PAD].mean()
    assert max_difference(model.loss(source, target), expected) < 1e-12
    one = greedy(*model.decoder(source), 2, 5)
    beam = beam_search(*model.decoder(source), 2, 5, width=1)
    assert torch.equal(one.tokens, beam.tokens[:, 0])
