"""The numbers and the wiring of the diagrams are those of torch and of the models."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from course_lib.models.additive import AdditiveAttention
from course_lib.models.attention import causal_mask
from course_lib.models.language_model import LanguageModel
from course_lib.models.seq2seq import shifted
from course_lib.models.transformer import EncoderLayer, Transformer, with_positions
from course_lib.show.diagram.model import Op, Tensor, owner
from course_lib.show.diagram.steps import Diagram
from course_lib.show.mechanisms import (
    additive,
    chain,
    dot_product,
    forward,
    gru,
    kalman,
    kv_cache,
    language_model,
    lstm,
    multi_head,
    norms,
    rnn,
    self_attention,
    transformer,
)

DOUBLE = torch.float64


def grids(diagram: Diagram) -> dict[str, np.ndarray]:
    """The numbers that stand in the tensors of a diagram."""
    nodes = diagram.nodes.values()
    return {n.name: np.asarray(n.values) for n in nodes if isinstance(n, Tensor)}


def stacked(blocks: dict[str, list], order: tuple[str, ...]) -> torch.Tensor:
    return torch.tensor([row for gate in order for row in blocks[gate]], dtype=DOUBLE)


def test_the_language_model_shows_the_guesses_of_torch():
    made, shown = language_model, grids(language_model.language_model_unrolled())
    network = LanguageModel(4, 2, 2).double()
    order = [4, 5, 2, 3, 0, 1, 6, 7]  # torch: input, forget, candidate, output
    with torch.no_grad():
        network.embedding.weight[:] = torch.tensor(made.E)
        network.lstm.weight_ih_l0[:] = torch.tensor(made.W_X[order])
        network.lstm.weight_hh_l0[:] = torch.tensor(made.W_H[order])
        network.lstm.bias_ih_l0[:] = torch.tensor(made.B[order])
        network.lstm.bias_hh_l0[:] = 0
        network.read_out.weight[:] = torch.tensor(made.W_Y)
        network.read_out.bias[:] = 0
        tokens = torch.tensor([[made.VOCABULARY.index(x) for x in made.TEXT]])
        p = network(tokens[:, :-1])[0][0].softmax(dim=-1)
        loss = F.cross_entropy(p.log(), tokens[0, 1:])
    for t in range(made.STEPS):
        np.testing.assert_allclose(shown[f"p_{t + 1}"], p[t], atol=1e-12)
    assert f"{loss:.2f} nats" in made.language_model_unrolled().steps[-1].says


def test_the_unrolled_rnn_shows_the_states_of_torch():
    made, shown = rnn, grids(rnn.rnn_unrolled())
    network = torch.nn.RNN(3, 2, dtype=DOUBLE)
    with torch.no_grad():
        network.weight_ih_l0.copy_(torch.tensor(made.W_X))
        network.weight_hh_l0.copy_(torch.tensor(made.W_H))
        network.bias_ih_l0.copy_(torch.tensor(made.B_H))
        network.bias_hh_l0.zero_()
        h, _ = network(torch.tensor(made.X))
    for t in (1, 2, 3):
        np.testing.assert_allclose(shown[f"h_{t}"], h[t - 1], rtol=1e-12)
        y = made.W_Y @ h[t - 1].numpy() + made.B_Y
        np.testing.assert_allclose(shown[f"y_{t}"], y, rtol=1e-12)


def test_the_gradient_going_back_is_autograds():
    shown = grids(chain.gradient_chain())
    states = [torch.tensor(rnn.H_0, requires_grad=True)]
    for x_t in torch.tensor(rnn.X):
        entering = torch.tensor(rnn.W_X) @ x_t + torch.tensor(rnn.B_H)
        states.append(torch.tanh(torch.tensor(rnn.W_H) @ states[-1] + entering))
    pull = torch.tensor(chain.G_LAST[0])
    gradients = torch.autograd.grad(states[-1], states, pull)
    for t, expected in enumerate(gradients):
        np.testing.assert_allclose(shown[f"g_{t}"][0], expected, rtol=1e-12)


def test_the_lstm_cell_shows_the_numbers_of_torch():
    made, shown = lstm, grids(lstm.lstm_cell())
    cell = torch.nn.LSTMCell(3, 2, bias=False, dtype=DOUBLE)
    order = ("i", "f", "c_tilde", "o")  # torch's
    with torch.no_grad():
        cell.weight_ih.copy_(stacked(made.W_X, order))
        cell.weight_hh.copy_(stacked(made.W_H, order))
        h, c = cell(torch.tensor(made.X), (torch.tensor(made.H), torch.tensor(made.C)))
    np.testing.assert_allclose(shown["h"], h, rtol=1e-12)
    np.testing.assert_allclose(shown["c"], c, rtol=1e-12)
    np.testing.assert_allclose(shown["f"] * shown["c_prev"], shown["kept"], rtol=1e-12)
    np.testing.assert_allclose(shown["i"] * shown["c_tilde"], shown["new"], rtol=1e-12)
    np.testing.assert_allclose(shown["kept"] + shown["new"], c, rtol=1e-12)
    np.testing.assert_allclose(shown["o"] * np.tanh(shown["c"]), h, rtol=1e-12)


def test_the_gru_cell_shows_what_its_equations_say():
    made, shown = gru, grids(gru.gru_cell())
    x, h = made.X, made.H

    def a(name: str, state: np.ndarray) -> np.ndarray:
        return np.array(made.W_X[name]) @ x + np.array(made.W_H[name]) @ state

    z, r = 1 / (1 + np.exp(-a("z", h))), 1 / (1 + np.exp(-a("r", h)))
    h_tilde = np.tanh(a("h_tilde", r * h))
    expected = {"z": z, "r": r, "dimmed": r * h, "h_tilde": h_tilde}
    expected |= {"kept": (1 - z) * h, "h": (1 - z) * h + z * h_tilde}
    for name, value in expected.items():
        np.testing.assert_allclose(shown[name], value, rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("word", [1, 2, 3, 4])
def test_additive_attention_shows_the_numbers_of_the_model(word):
    made, shown = additive, grids(additive.additive_attention(word))
    attend = AdditiveAttention(2, 3, 2).double()
    cell = torch.nn.RNNCell(2 + 3, 2, bias=False, dtype=DOUBLE)
    with torch.no_grad():
        attend.W_q.weight.copy_(torch.tensor(made.W_Q))
        attend.W_q.bias.zero_()
        attend.W_k.weight.copy_(torch.tensor(made.W_K))
        attend.w.weight.copy_(torch.tensor(made.W_SCORE)[None])
        cell.weight_ih.copy_(torch.tensor(np.hstack([made.W_Y, made.W_V])))
        cell.weight_hh.copy_(torch.tensor(made.W_S))
        features = attend.look_at(torch.tensor(made.F)[None])
        s = torch.zeros(1, 2, dtype=DOUBLE)
        for y in torch.tensor(made.E_Y[:word]):
            before = s
            v, alpha = attend(s, features)
            s = cell(torch.cat([y[None], v], dim=1), s)
    for name, value in {"s_prev": before, "alpha": alpha, "v": v, "s": s}.items():
        assert_close = np.testing.assert_allclose
        assert_close(shown[name].ravel(), value[0], rtol=1e-10, err_msg=name)


def test_the_toy_writes_its_sentence_and_looks_at_partners():
    looked = [int(additive.numbers(word)["alpha"].argmax()) for word in (1, 2, 3)]
    assert [additive.WORDS[t] for t in looked] == ["we", "eating", "bread"]
    wrote = [int(additive.numbers(word)["p"].argmax()) for word in (1, 2, 3, 4)]
    assert wrote == [0, 1, 2, 3]
    weights = [getattr(additive, name) for name in ("F", "W_Q", "W_K", "W_SCORE")]
    assert all(np.array_equal(w, w.round(1)) for w in weights)


def test_dot_product_attention_shows_the_numbers_of_torch():
    made, shown = dot_product, grids(dot_product.dot_product_attention())
    q, k, v = (torch.tensor(array)[None] for array in (made.Q, made.K, made.V))
    expected = F.scaled_dot_product_attention(q, k, v)[0]
    np.testing.assert_allclose(shown["Y"], expected, rtol=1e-12)
    np.testing.assert_allclose(shown["A"] @ made.V, shown["Y"], rtol=1e-12)
    weights = torch.tensor(shown["S"]).softmax(dim=-1)
    np.testing.assert_allclose(shown["A"], weights, rtol=1e-12)


def test_attention_by_hand_shows_the_numbers_of_torch():
    made, shown = self_attention, grids(self_attention.attention_by_hand())
    x = torch.tensor(made.X)
    q, k, v = (x @ torch.tensor(W).T for W in (made.W_Q, made.W_K, made.W_V))
    for name, expected in {"Q": q, "K": k.T, "V": v, "S": q @ k.T / 2}.items():
        np.testing.assert_allclose(shown[name], expected, rtol=1e-12)
        assert shown[name].dtype.kind == "i", "whole numbers are written as such"
    read = F.scaled_dot_product_attention(q, k, v)
    np.testing.assert_allclose(shown["Y"], read, rtol=1e-12)
    np.testing.assert_allclose(shown["A"] @ v.numpy(), read, rtol=1e-12)


def test_the_heads_show_the_numbers_of_torch_and_one_number_of_each_is_added():
    made, shown = multi_head, grids(multi_head.two_heads())
    layer = torch.nn.MultiheadAttention(
        4, made.HEADS, bias=False, batch_first=True, dtype=DOUBLE
    )
    with torch.no_grad():
        rows = np.vstack([made.W_Q, made.W_K, made.W_V])
        layer.in_proj_weight.copy_(torch.tensor(rows))
        layer.out_proj.weight.copy_(torch.tensor(made.W_O))
        x = torch.tensor(made.X)[None]
        y, weights = layer(x, x, x, average_attn_weights=False)
    np.testing.assert_allclose(shown["Y"], y[0], rtol=1e-12)
    for i in (1, 2):
        np.testing.assert_allclose(shown[f"A{i}"], weights[0, i - 1], rtol=1e-12)
        q, k = shown[f"Q{i}"], shown[f"K{i}"]
        expected = torch.tensor(q @ k / 2**0.5).softmax(dim=-1)
        np.testing.assert_allclose(shown[f"A{i}"], expected, rtol=1e-12)
        np.testing.assert_allclose(shown[f"A{i}"] @ shown[f"V{i}"], shown[f"Y{i}"])
    both = np.hstack([shown["Y1"], shown["Y2"]])
    np.testing.assert_array_equal(shown["joined"], both)
    of_each = made.W_O.reshape(4, made.HEADS, 2).sum(axis=2)
    np.testing.assert_array_equal(of_each, np.ones((4, made.HEADS)))


def test_the_cache_computes_one_row_of_the_attention_by_hand():
    """Word 2 comes last; words 1 and 3 were kept, and nothing is hidden from it."""
    shown = grids(kv_cache())
    np.testing.assert_allclose(shown["A"][0], self_attention.MADE["A"][1][[0, 2, 1]])
    np.testing.assert_allclose(shown["y"][0], self_attention.MADE["Y"][1])
    keys = np.hstack([shown["K"], shown["k"]])
    np.testing.assert_array_equal(keys.T, self_attention.MADE["K"][[0, 2, 1]])
    values = np.vstack([shown["V"], shown["v"]])
    np.testing.assert_array_equal(values, self_attention.MADE["V"][[0, 2, 1]])


def test_the_second_head_takes_apart_what_one_head_had_to_share():
    """Lecture 09 says so: word 1 gives words 2 and 3 the same; then one to each."""
    alone = self_attention.MADE["A"][0]
    np.testing.assert_allclose(alone[1], alone[2])
    assert [multi_head.MADE[f"A{i}"][0].argmax() for i in (1, 2)] == [2, 1]


def test_the_kalman_step_is_bayes_rule_on_a_fine_grid():
    """Density of the state: moved, multiplied by the likelihood, and normalised."""
    made, shown = kalman, grids(kalman.kalman_step())
    z = np.linspace(-12, 12, 4801)
    bell = lambda at, mean, v: np.exp(-((at - mean) ** 2) / (2 * v))  # noqa: E731
    before = bell(z, made.M_BEFORE, made.P_BEFORE)
    kernel = bell(z[:, None], made.A * z, made.Q)
    for names, density in (
        (("m_minus", "P_minus"), kernel @ before),
        (("m", "P"), (kernel @ before) * bell(made.X, made.C * z, made.R)),
    ):
        weight = density / density.sum()
        mean = weight @ z
        assert shown[names[0]] == pytest.approx(mean, abs=1e-6)
        assert shown[names[1]] == pytest.approx(weight @ (z - mean) ** 2, abs=1e-6)
    assert shown["e"] == made.X - shown["m_minus"]


def test_the_forward_step_is_bayes_rule_over_all_paths():
    made, shown = forward, grids(forward.forward_step())
    first, second = made.WORD
    paths = made.PI[:, None] * made.B[:, [first]] * made.A  # p(z_1, z_2, x_1)
    joint = paths * made.B[:, second]
    evidence = joint.sum() / paths.sum()
    assert shown["predicted"] == pytest.approx(paths.sum(axis=0) / paths.sum())
    assert shown["sum"] == pytest.approx(evidence)
    assert shown["b"] == pytest.approx(joint.sum(axis=0) / joint.sum())


# --- the wiring: follow the arrows of a picture with numbers, compare with the model


def follow(diagram: Diagram, end: str, acts: dict) -> torch.Tensor:
    """The value of a node: what it does with the values that its arrows bring.

    acts  node -> a tensor, for an input, or a function of the values by arrow colour
    """
    act = acts.get(end, only(lambda value: value))
    if isinstance(act, torch.Tensor):
        return act
    arriving = [
        (arrow.role, follow(diagram, owner(arrow.start), acts))
        for arrow in diagram.arrows
        if owner(arrow.end) == end
    ]
    if isinstance(diagram.nodes[end], Op):
        return sum(value for _, value in arriving)
    return act(dict(arriving))


def only(function):
    """A node with one arrow."""
    return lambda values: function(*values.values())


def attends(layer, mask=None):
    """An attention layer: violet brings queries, brown keys, teal values.

    Where the picture has one arrow for all three, it brings all three.
    """

    def act(values):
        query = values.get("query", values.get("plain"))
        memory = values.get("key", query)
        assert torch.equal(memory, values.get("value", query))
        return layer(query, memory, mask).output

    return act


def shaken(model: torch.nn.Module) -> torch.nn.Module:
    """All parameters random, so that no two norms are alike."""
    generator = torch.Generator().manual_seed(3)
    model = model.double()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5, generator=generator)
    return model


@pytest.mark.parametrize(("name", "norm_first"), [("post", False), ("pre", True)])
def test_the_two_norm_orders_are_those_of_the_layer(name, norm_first):
    layer = shaken(EncoderLayer(6, 3, 11, norm_first))
    x = torch.randn(2, 5, 6, dtype=DOUBLE, generator=torch.Generator().manual_seed(0))
    acts = {
        f"{name}_x": x,
        f"{name}_attn": attends(layer.attend),
        f"{name}_ffn": only(layer.feed),
        f"{name}_attn_norm": only(layer.norm_attend),
        f"{name}_ffn_norm": only(layer.norm_feed),
    }
    diagram = norms.norm_placement()
    with torch.no_grad():
        made = follow(diagram, f"{name}_out", acts)
        torch.testing.assert_close(made, layer(x).output, rtol=1e-12, atol=1e-12)


def parts_of(model: Transformer, source: torch.Tensor, target: torch.Tensor) -> dict:
    """What each box of the picture does, for a model with one block in each tower."""
    encoder, decoder = model.encoder[0], model.layers[0]
    causal = causal_mask(target.shape[1])
    return {
        "e_in": with_positions(model.read_in, source),
        "self": attends(encoder.attend),
        "self_norm": only(encoder.norm_attend),
        "ffn": only(encoder.feed),
        "ffn_norm": only(encoder.norm_feed),
        "e_out": only(model.norm_encoder),
        "d_in": with_positions(model.embed, shifted(target)),
        "masked": attends(decoder.attend, causal),
        "masked_norm": only(decoder.norm_attend),
        "cross": attends(decoder.cross),
        "cross_norm": only(decoder.norm_cross),
        "ffn_2": only(decoder.feed),
        "ffn_2_norm": only(decoder.norm_feed),
        "d_out": only(model.norm),
        "linear": only(model.read_out),
    }


def test_the_picture_of_the_transformer_computes_what_the_model_computes():
    """Its default settings: nothing but the number of blocks is chosen here."""
    model = shaken(Transformer(13, 17, d_model=12, heads=3, d_ff=19, layers=1))
    draw = torch.Generator().manual_seed(1)
    source = torch.randint(4, 13, (2, 7), generator=draw)
    target = torch.randint(4, 17, (2, 5), generator=draw)
    diagram = transformer()
    with torch.no_grad():
        acts = parts_of(model, source, target)
        made, expected = follow(diagram, "said", acts), model(source, target)
    torch.testing.assert_close(made, expected, rtol=1e-10, atol=1e-10)
