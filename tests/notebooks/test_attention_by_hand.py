"""The layers of lecture 09 and those of the library are the same functions."""

import nbformat
import pytest
import torch
import torch.nn.functional as F
from lectures import NOTEBOOKS
from torch import nn

from course_lib.models import attention as library

DOUBLE = torch.float64


@pytest.fixture(scope="module")
def page() -> dict:
    """What these cells of the lecture define, run without the rest of it."""
    nb = nbformat.read(NOTEBOOKS / "09_attention_layers.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    source["reader"] = (
        "class OneLayer" + source["reader"].partition("class OneLayer")[2]
    )
    source["text-heads"] = source["text-heads"].partition("\n\n\n")[0]
    source["masks-check"] = source["masks-check"].partition("e_pencil")[0]
    names: dict = {"torch": torch, "nn": nn, "F": F, "predicted": lambda: None}
    names |= {"LETTERS": 11, "CONTEXT": 7, "WIDTH": 12}
    for cell in ("five-code", "reader", "heads-code", "text-heads", "masks-check"):
        exec(source[cell], names)
    return names


def random(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=DOUBLE)


def test_the_formula_is_the_librarys(page):
    torch.manual_seed(0)
    q, k, v = random(2, 3, 5), random(2, 7, 5), random(2, 7, 11)
    expected = library.attention(q, k, v).output
    torch.testing.assert_close(page["step5"](q, k, v), expected)


def test_the_mask_is_the_librarys(page):
    torch.manual_seed(1)
    scores, mask = random(2, 5, 7), library.causal_mask(5, 7)
    expected = library.masked_softmax(scores, mask)
    torch.testing.assert_close(page["masked_softmax"](scores, mask), expected)


def test_the_heads_are_the_librarys(page):
    torch.manual_seed(2)
    layer = library.MultiHeadAttention(12, 3, bias=False).double()
    W = {name: getattr(layer, f"W_{name.lower()}") for name in "QKVO"}
    x, z = random(2, 5, 12), random(2, 7, 12)
    ours, weights = page["multi_head"](x, z, W, 3)
    expected = layer(x, z)
    torch.testing.assert_close(ours, expected.output)
    torch.testing.assert_close(weights, expected.weights)


@pytest.mark.parametrize(("name", "heads"), [("OneLayer", 1), ("FourHeads", 4)])
def test_the_reader_is_the_librarys_layer(page, name, heads):
    torch.manual_seed(3)
    model = page[name]().double()
    layer = library.MultiHeadAttention(12, heads, bias=False).double()
    with torch.no_grad():
        for letter in "QKVO":
            getattr(layer, f"W_{letter.lower()}").copy_(getattr(model, f"W_{letter}"))
    letters = torch.randint(11, (2, 5))
    x = model.embed(letters) + model.place[:5]
    read = layer(x, mask=library.causal_mask(5)).output
    torch.testing.assert_close(model(letters), model.out(x + read))
