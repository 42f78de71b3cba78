"""The cells of lectures 05 and 05b and those of the library are the same networks."""

from collections.abc import Callable
from typing import NamedTuple

import nbformat
import numpy as np
import pytest
import torch
from lectures import NOTEBOOKS
from torch import nn

from course_lib import numpy_cells
from course_lib.models import recurrent

B, T, D_X, D_H = 2, 7, 3, 5
RNG = np.random.default_rng(3)
X = RNG.standard_normal((B, T, D_X))


def names_of(notebook: str, *cells: str) -> dict:
    """What these cells of a lecture define, run without the rest of it."""
    nb = nbformat.read(NOTEBOOKS / f"{notebook}.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    names: dict = {"np": np, "torch": torch, "nn": nn}
    names |= {"NamedTuple": NamedTuple, "Callable": Callable}
    for cell in cells:
        exec(source[cell], names)
    return names


@pytest.fixture(scope="module")
def page() -> dict:
    return names_of("05_gru", "step", "pack", "pack-run", "strokes-code")


def by_library(kind: str, p: dict, x: np.ndarray) -> np.ndarray:
    """The hidden states of a pack of one, computed by course_lib.numpy_cells."""
    Weights, forward = {
        "GRU": (numpy_cells.GRUWeights, numpy_cells.gru_forward),
        "LSTM": (numpy_cells.LSTMWeights, numpy_cells.lstm_forward),
        "coupled": (numpy_cells.CoupledWeights, numpy_cells.coupled_forward),
        "peephole": (numpy_cells.PeepholeWeights, numpy_cells.peephole_forward),
    }[kind]
    arrays = {name: value[0].numpy() for name, value in p.items()}
    peeps = {name: v[0] for name, v in arrays.items() if name.startswith("p_")}
    weights = Weights(arrays["W_x"], arrays["W_h"], arrays["b"][0], **peeps)
    return forward(weights, x)[0]


@pytest.mark.parametrize("kind", ["GRU", "LSTM", "coupled"])
def test_a_network_of_a_pack_is_the_librarys(page, kind):
    p = page["new_weights"](kind, D_X, D_H, nets=3, dtype=torch.float64)
    h = page["run"](kind, p, torch.tensor(X)[None])[0]
    for net in range(3):
        alone = {name: value[net : net + 1] for name, value in p.items()}
        np.testing.assert_allclose(h[net], by_library(kind, alone, X), atol=1e-12)


def test_peepholes_are_the_librarys(page):
    nb = nbformat.read(NOTEBOOKS / "05_gru.ipynb", as_version=4)
    (source,) = [cell.source for cell in nb.cells if cell.id == "peephole"]
    exec(source.split("p_lstm =")[0], page)
    p = page["new_weights"]("peephole", D_X, D_H, nets=1, dtype=torch.float64)
    for number, name in enumerate(("p_f", "p_i", "p_o")):
        peeps = np.random.default_rng(number).standard_normal((1, 1, D_H))
        p[name] = torch.tensor(peeps)
    h = page["run"]("peephole", p, torch.tensor(X)[None])[0][0]
    np.testing.assert_allclose(h, by_library("peephole", p, X), atol=1e-12)


def test_one_step_in_numpy_is_the_librarys(page):
    blocks = {k: RNG.standard_normal((D_H, D_X + D_H + 1)) for k in "hzr"}
    p = {}
    for k, block in blocks.items():
        p |= {f"W_x{k}": block[:, :D_X], f"W_h{k}": block[:, D_X:-1]}
        p[f"b_{k}"] = block[:, -1]
    stacked = np.concatenate([*blocks.values()])
    weights = numpy_cells.GRUWeights(
        stacked[:, :D_X], stacked[:, D_X:-1], stacked[:, -1]
    )
    h = np.zeros((B, D_H))
    for x_t, expected in zip(
        X.swapaxes(0, 1),
        numpy_cells.gru_forward(weights, X)[0].swapaxes(0, 1),
        strict=True,
    ):
        h = page["gru_step"](p, x_t, h)["h"]
        np.testing.assert_allclose(h, expected, atol=1e-12)


def test_training_in_a_pack_is_training_alone(page):
    """The gradient of a sum of losses by one network's weights is its own."""
    p = page["new_weights"]("GRU", D_X, D_H, nets=3, dtype=torch.float64)
    x = torch.tensor(RNG.standard_normal((3, B, T, D_X)))

    def gradient(weights: dict, inputs: torch.Tensor) -> torch.Tensor:
        weights = {k: v.clone().requires_grad_() for k, v in weights.items()}
        losses = (page["run"]("GRU", weights, inputs)[0] ** 2).mean(dim=(1, 2, 3))
        return torch.autograd.grad(losses.sum(), weights["W_h"])[0]

    together = gradient(p, x)
    for net in range(3):
        here = slice(net, net + 1)
        alone = gradient({k: v[here] for k, v in p.items()}, x[here])
        torch.testing.assert_close(together[here], alone, atol=1e-14, rtol=0)


@pytest.mark.parametrize(
    "module",
    [
        nn.LSTM(D_X, D_H, num_layers=3, batch_first=True, dtype=torch.float64),
        nn.LSTM(D_X, D_H, bidirectional=True, batch_first=True, dtype=torch.float64),
        nn.GRU(D_X, D_H, batch_first=True, dtype=torch.float64),
    ],
    ids=["stack", "pair", "GRU"],
)
def test_layers_of_the_library_are_torchs(module):
    with torch.no_grad():
        expected = module(torch.tensor(X))[0]
        ours = recurrent.from_torch(module)(torch.tensor(X))[0]
    torch.testing.assert_close(ours, expected, atol=1e-12, rtol=0)


def test_the_stack_of_lecture_05b_is_the_librarys():
    page = names_of("05b_stacks_and_directions", "stack")
    module = nn.LSTM(D_X, D_H, num_layers=2, batch_first=True, dtype=torch.float64)
    layers = []
    for n in (0, 1):
        part = lambda name, n=n: getattr(module, f"{name}_l{n}").detach()  # noqa: E731
        bias = part("bias_ih") + part("bias_hh")
        layers.append({"W_x": part("weight_ih"), "W_h": part("weight_hh"), "b": bias})
    expected = recurrent.from_torch(module)(torch.tensor(X))[0].detach()
    ours = page["run_stack"](layers, torch.tensor(X))
    torch.testing.assert_close(ours, expected, atol=1e-12, rtol=0)
