"""Pictures of lecture 10: the numbers are true, the drawings show them."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from stopwatch import assert_quick

from course_lib.data.vocabulary import EOS, Vocabulary
from course_lib.models.norm_sweep import stored
from course_lib.models.transformer import Transformer
from course_lib.show import transformer as pictures
from course_lib.show.plots import unlabelled

ENGLISH = Vocabulary(["one", "two", "three", "-five", "hundred"])
FRENCH = Vocabulary(["un", "deux", "trois", "-cinq", "cent", "cents", "mille"])
LAYERS, HEADS = 2, 3


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def looked():
    torch.manual_seed(0)
    model = Transformer(len(ENGLISH), len(FRENCH), 12, HEADS, 17, LAYERS)
    source = torch.tensor(ENGLISH.encode(["two", "hundred", "three"]))
    target = torch.tensor(FRENCH.encode(["deux", "cent", "trois", "mille"]))
    seen = pictures.look(model, source, target, ENGLISH, FRENCH)
    return model, source, target, seen


@pytest.mark.parametrize(
    ("d", "base", "n"), [(8, 10, 0), (64, 10_000, 63), (32, 100, 20)]
)
def test_similarity_is_the_sum_of_cosines_of_the_distance(d, base, n):
    distance = np.arange(pictures.POSITIONS) - n
    omega = base ** (-np.arange(0, d, 2) / d)
    expected = np.cos(np.outer(distance, omega)).mean(axis=1)
    assert np.allclose(pictures.similarities(n, d, base), expected, atol=1e-4)


@pytest.mark.parametrize("d", [8, 16, 32, 64])
@pytest.mark.parametrize("base", [10, 100, 10_000])
@pytest.mark.parametrize("n", [0, 63])
def test_every_corner_of_the_position_explorer_draws(d, base, n):
    fig, alt = pictures.draw_positions(d, base, n)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert f"width {d}, base {base}. Position {n} resembles itself, 1.00" in alt
    left, _, clocks, near = fig.axes
    assert left.images[0].get_array().shape == (pictures.POSITIONS, d)
    assert near.lines[0].get_ydata()[n] == pytest.approx(1)
    low, high = near.get_ylim()
    assert low < near.lines[0].get_ydata().min() <= 1 < high
    assert [text.get_text() for text in clocks.texts][0] == "pair 0"
    assert clocks.texts[-1].get_text() == f"pair {d // 2 - 1}"
    assert len({text.get_text() for text in clocks.texts}) == min(d // 2, 5)
    assert len(clocks.texts) == min(d // 2, 5)


def test_rotation_keeps_the_angle_when_both_are_moved():
    fig, _ = pictures.draw_rotary(n=1, m=4, moved=5)
    fig.canvas.draw()
    told = [ax.get_title(loc="left") for ax in fig.axes]
    plain, here, later = (text.split("\n") for text in told)
    assert (plain[0], here[0], later[0]) == (
        "not turned",
        "positions 1, 4",
        "positions 6, 9",
    )
    assert here[1] == later[1] != plain[1]


def test_similarities_of_tables_are_cosines():
    rows = np.array([[2.0, 0], [0, 3], [-1, 0]])
    fig, alt = pictures.draw_similarity({"one": rows, "other": 2 * rows})
    fig.canvas.draw()
    assert unlabelled(fig) == []
    for ax in fig.axes[:2]:
        shown = ax.images[0].get_array()
        assert np.allclose(shown, [[1, 0, -1], [0, 1, 0], [-1, 0, 1]])
    assert "one, other" in alt


def test_fits_are_drawn_over_their_target():
    target = np.linspace(0, 1, 11)
    fig, _ = pictures.draw_fits(target, {"a": 0 * target, "b": target})
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert [len(line.get_ydata()) for line in fig.axes[0].lines] == [11] * 3


def test_every_network_of_the_sweep_is_a_point():
    fig, alt = pictures.draw_sweep(stored())
    fig.canvas.draw()
    assert unlabelled(fig) == []
    points = [len(line.get_ydata()) for ax in fig.axes for line in ax.lines]
    assert sum(points) == len(stored()) + 2 * 2  # and two ends of each dashed line
    assert f"{len(stored())} trainings" in alt


def test_a_loss_is_drawn_step_by_step():
    fig, alt = pictures.draw_loss([4.0, 2.0, 0.3])
    assert list(fig.axes[0].lines[0].get_xdata()) == [1, 2, 3]
    assert "from 4" in alt


def test_a_position_outside_is_refused():
    with pytest.raises(ValueError, match="position 64 is not among the 64"):
        pictures.draw_positions(n=64)


def test_hands_point_where_the_code_says():
    pairs, tips = pictures.clock_hands(5, 16, 100.0)
    assert pairs[0] == 0
    assert pairs[-1] == 7
    code = pictures.sinusoids(1, 16, start=5, base=100.0)[0].numpy().reshape(8, 2)
    assert np.allclose(tips, code[pairs], atol=1e-5)
    assert np.allclose(pictures.clock_hands(0, 16, 100.0)[1], [0, 1])  # upwards


def test_stored_weights_are_those_the_model_uses(looked):
    model, source, target, seen = looked
    assert seen.source == ("two", "hundred", "three", "<eos>")
    assert seen.inputs == ("<sos>", "deux", "cent", "trois", "mille")
    assert seen.outputs == ("deux", "cent", "trois", "mille", "<eos>")
    shapes = {part: weights.shape for part, weights in seen.weights.items()}
    assert shapes == {
        pictures.ENCODER: (LAYERS, HEADS, 4, 4),
        pictures.DECODER: (LAYERS, HEADS, 5, 5),
        pictures.CROSS: (LAYERS, HEADS, 5, 4),
    }
    for weights in seen.weights.values():
        assert np.allclose(weights.sum(axis=-1), 1, atol=1e-6)
    future = np.triu(np.ones((5, 5), bool), 1)
    assert np.all(seen.weights[pictures.DECODER][..., future] == 0)
    assert int(target[-1]) == EOS
    x = model.read_in(source) * 12**0.5 + pictures.sinusoids(4, 12)
    x = model.encoder[0].norm_attend(x)[None]
    by_hand = model.encoder[0].attend(x).weights[0].detach().numpy()
    assert np.allclose(seen.weights[pictures.ENCODER][0], by_hand, atol=1e-6)


def test_looking_leads_to_the_scores_of_the_model(looked):
    """The last decoder layer that `look` runs gives what the model's forward gives."""
    model, source, target, _ = looked
    outputs = []
    handle = model.layers[-1].register_forward_hook(
        lambda module, given, made: outputs.append(made.output)
    )
    model(source[None], target[None])
    pictures.look(model, source, target, ENGLISH, FRENCH)
    handle.remove()
    assert torch.allclose(outputs[0], outputs[1], atol=1e-5)


@pytest.mark.parametrize("part", pictures.PARTS)
@pytest.mark.parametrize("head", pictures.head_names(LAYERS, HEADS))
def test_the_head_viewer_draws_the_head_that_was_chosen(looked, part, head):
    seen = looked[-1]
    fig, alt = pictures.draw_heads(seen, part, head)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    layer, number = (int(word) - 1 for word in head.replace(",", "").split()[1::2])
    expected = seen.weights[part][layer, number]
    assert np.allclose(fig.axes[0].images[0].get_array(), expected)
    assert alt.startswith(f"{head}, {part}: {len(expected)} rows")
    rows = [text.get_text() for text in fig.axes[0].get_yticklabels()]
    assert rows == list(
        {
            pictures.ENCODER: seen.source,
            pictures.DECODER: seen.inputs,
            pictures.CROSS: seen.outputs,
        }[part]
    )


def test_the_description_names_the_strongest_look(looked):
    seen = looked[-1]
    weights = np.zeros((LAYERS, HEADS, 5, 4))
    weights[1, 2, :, 3] = 0.5
    weights[1, 2, :, 0] = 0.5
    weights[1, 2, 2] = [0, 0, 1, 0]
    sharp = pictures.Looked(
        seen.source, seen.inputs, seen.outputs, {pictures.CROSS: weights}
    )
    alt = pictures.draw_heads(sharp, pictures.CROSS, "layer 2, head 3")[1]
    assert "trois at three" in alt
    assert "reads 1.8 words on average" in alt


def test_choices_without_meaning_are_refused(looked):
    with pytest.raises(ValueError, match="no part 'sideways': expected one of"):
        pictures.draw_heads(looked[-1], "sideways")
    with pytest.raises(ValueError, match="no 'layer 3, head 1': expected one of"):
        pictures.draw_heads(looked[-1], pictures.CROSS, "layer 3, head 1")


def test_head_names_count_from_one():
    assert pictures.head_names(1, 2) == ["layer 1, head 1", "layer 1, head 2"]


def test_a_step_takes_less_than_half_a_second(looked):
    for draw in (pictures.draw_positions, lambda: pictures.draw_heads(looked[-1])):
        assert_quick(draw)
