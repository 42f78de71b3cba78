"""The scan equals the loop, a convolution and SciPy's filter, with its gradients."""

import ast

import nbformat
import numpy as np
import pytest
import torch
from lectures import NOTEBOOKS
from scipy.signal import lfilter
from torch.utils._python_dispatch import TorchDispatchMode

from course_lib.check import max_difference
from course_lib.models.scan import affine, associative_scan, in_blocks, loop, scan

LENGTHS = (1, 2, 3, 16, 17, 31, 101, 257, 1031)


def gates(T: int, *d: int, dtype: torch.dtype = torch.float64) -> tuple:
    generator = torch.Generator().manual_seed(T)
    draw = lambda: torch.randn(3, T, *d, generator=generator, dtype=dtype)  # noqa: E731
    return 0.6 * draw(), draw()


@pytest.mark.parametrize("T", LENGTHS)
@pytest.mark.parametrize("d", [(5,), (2, 7), ()])
def test_equals_the_loop(T, d):
    a, b = gates(T, *d)
    assert max_difference(scan(a, b), loop(a, b)) < 1e-11
    h_0 = torch.ones_like(b[:, 0])
    assert max_difference(scan(a, b, h_0), loop(a, b, h_0)) < 1e-11


def test_equals_the_filter_of_scipy():
    a, b = torch.full((3, 1031, 5), 0.97, dtype=torch.float64), gates(1031, 5)[1]
    expected = lfilter([1.0], [1.0, -0.97], b.numpy(), axis=1)
    assert max_difference(scan(a, b), expected) < 1e-10


@pytest.mark.parametrize("T", [1, 7, 23, 37])
@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])
def test_gradients(T, dtype):
    a, b = (x[:2].requires_grad_() for x in gates(T, 2, dtype=dtype))
    h_0 = torch.randn(2, 2, dtype=dtype, requires_grad=True)
    assert torch.autograd.gradcheck(scan, (a, b, h_0))


@pytest.mark.parametrize("T", LENGTHS)
def test_joining_over_doubled_distances_gives_all_states(T):
    a, b = (x.transpose(0, 1) for x in gates(T, 5))
    product, h = associative_scan(affine, (a, b))
    assert (
        max_difference(h, loop(a.transpose(0, 1), b.transpose(0, 1)).transpose(0, 1))
        < 1e-11
    )
    assert max_difference(product, a.cumprod(0)) < 1e-12


def test_any_associative_operator_will_do():
    matrices = np.random.default_rng(0).standard_normal((13, 3, 3))
    (made,) = associative_scan(lambda x, y: (y[0] @ x[0],), (matrices,))
    expected = np.eye(3)
    for t, matrix in enumerate(matrices):
        expected = matrix @ expected
        assert max_difference(made[t], expected) < 1e-9


def test_a_gate_for_every_step_is_asked_for():
    a, b = gates(7, 5)
    with pytest.raises(ValueError, match="expand_as"):
        scan(a[:, :1], b)


def test_nothing_is_changed():
    a, b = gates(101, 5)
    copies = a.clone(), b.clone()
    scan(a, b)
    assert torch.equal(a, copies[0])
    assert torch.equal(b, copies[1])


class Products(TorchDispatchMode):
    """The sizes of all products a * h that are made: a joint is one of them."""

    def __init__(self):
        super().__init__()
        self.sizes = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is torch.ops.aten.mul.Tensor:
            self.sizes.append(args[0].numel())
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("T", [7, 16, 64, 100, 256, 1031, 4096])
def test_lecture_17_counts_its_joints_and_rounds(T):
    nb = nbformat.read(NOTEBOOKS / "17_recurrence_returns.ipynb", as_version=4)
    source = next(cell.source for cell in nb.cells if cell.id == "work-count")
    (told,) = (
        n
        for n in ast.parse(source).body
        if isinstance(n, ast.FunctionDef) and n.name == "in_blocks"
    )
    names = {}
    exec(ast.unparse(told), names)
    with Products() as made:
        in_blocks(torch.ones(1, T, 1), torch.ones(1, T, 1))
    assert names["in_blocks"](T) == (sum(made.sizes), len(made.sizes))
