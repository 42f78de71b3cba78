"""Every diagram of the course is well drawn, and its numbers are the computed ones."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from stopwatch import assert_quick

from course_lib.show.diagram import draw, panels, play, problems
from course_lib.show.diagram.model import Diagram, Frame, Tensor
from course_lib.show.mechanisms import ALL, lstm_cell
from course_lib.show.mechanisms.lstm_cell import W_H, W_X, C, H, X

EACH = pytest.mark.parametrize("mechanism", ALL, ids=lambda make: make.__name__)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def grids(diagram: Diagram) -> dict[str, np.ndarray]:
    """The numbers of every tensor, vectors as vectors."""
    tensors = [node for node in diagram.nodes.values() if isinstance(node, Tensor)]
    return {node.name: np.asarray(node.values) for node in tensors}


@EACH
def test_nothing_is_in_the_way_of_anything(mechanism):
    assert problems(mechanism()) == []


@EACH
def test_every_part_is_lit_in_some_step(mechanism):
    """A part that never wakes up was forgotten in the steps; frames need not."""
    diagram = mechanism()
    lit = set().union(*(diagram.lit(k + 1) for k in range(len(diagram.steps))))
    frames = {n.name for n in diagram.nodes.values() if isinstance(n, Frame)}
    assert diagram.lit(None) - lit - frames == set()


@EACH
def test_pictures_are_described_in_words(mechanism):
    """Screen readers get whole sentences, without the marks of formulas."""
    diagram = mechanism()
    said = [diagram.description(k + 1) for k in range(len(diagram.steps))]
    for text in (diagram.description(), *said):
        assert len(text) > 60
        assert not set("$\\") & set(text)
    assert len(set(said)) == len(said)


@EACH
def test_panels_and_player_show_every_step(mechanism):
    diagram = mechanism()
    fig, _ = panels(diagram)
    assert len(fig.axes) == len(diagram.steps)
    player = play(diagram)
    assert player.children[0].max == len(diagram.steps)
    assert "<img" in player.children[-1].value


@EACH
def test_a_step_of_the_player_is_quick(mechanism):
    diagram = mechanism()
    assert_quick(lambda: draw(diagram, len(diagram.steps)))


def test_the_lstm_cell_shows_the_numbers_of_torch():
    cell = torch.nn.LSTMCell(3, 2, dtype=torch.float64)
    order = ("i", "f", "c_tilde", "o")  # torch's
    with torch.no_grad():
        cell.weight_ih.copy_(torch.tensor([row for gate in order for row in W_X[gate]]))
        cell.weight_hh.copy_(torch.tensor([row for gate in order for row in W_H[gate]]))
        cell.bias_ih.zero_()
        cell.bias_hh.zero_()
        h, c = cell(torch.tensor(X), (torch.tensor(H), torch.tensor(C)))
    shown = grids(lstm_cell())
    np.testing.assert_allclose(shown["h"], h, rtol=1e-12)
    np.testing.assert_allclose(shown["c"], c, rtol=1e-12)
    np.testing.assert_allclose(shown["kept"] + shown["new"], c, rtol=1e-12)
    np.testing.assert_allclose(shown["o"] * np.tanh(shown["c"]), h, rtol=1e-12)
