"""Gradients flow through calls into the student's process."""

TORCH = "import torch\n"


def passes(bench, student, test):
    ok, message = bench.check(TORCH + student, test, locked=TORCH)
    assert ok, message


ATTENTION = """
def attention(q, k, v):
    return torch.softmax(q @ k.T / q.shape[-1] ** 0.5, -1) @ v
"""
CELL = """
class Cell(torch.nn.Module):
    def __init__(self, d):
        super().__init__()
        self.linear = torch.nn.Linear(d, d)
    def forward(self, x):
        return torch.tanh(self.linear(x))
"""


def test_gradcheck_through_the_bridge(bench):
    test = """
torch.manual_seed(0)
shape = [(5, 3), (7, 3), (7, 2)]
q, k, v = [torch.randn(s, dtype=torch.float64, requires_grad=True) for s in shape]
assert torch.autograd.gradcheck(attention, (q, k, v))
"""
    passes(bench, ATTENTION, test)


def test_gradcheck_finds_a_wrong_backward(bench):
    student = """
class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x ** 2
    @staticmethod
    def backward(ctx, g): return g
def f(x): return Wrong.apply(x)
"""
    test = """
x = torch.randn(3, dtype=torch.float64, requires_grad=True)
assert torch.autograd.gradcheck(f, (x,))
"""
    ok, message = bench.check(TORCH + student, test, locked=TORCH)
    assert not ok
    assert "Jacobian" in message


def test_modules_parameters_and_their_gradients(bench):
    test = """
torch.manual_seed(0)
cell, x = Cell(5), torch.randn(3, 5)
own = torch.nn.Linear(5, 5)
own.load_state_dict(cell.linear.state_dict())
y = cell(x)
assert torch.allclose(y, torch.tanh(own(x)))
y.sum().backward()
torch.tanh(own(x)).sum().backward()
assert torch.allclose(cell.linear.weight.grad, own.weight.grad)
assert isinstance(cell, torch.nn.Module) and issubclass(Cell, torch.nn.Module)
assert sum(p.numel() for p in cell.parameters()) == 30
assert dict(cell.named_parameters()).keys() == {'linear.weight', 'linear.bias'}
cell.zero_grad()
assert cell.linear.weight.grad is None
"""
    passes(bench, CELL, test)


def test_parameters_changed_by_a_test_change_in_the_module(bench):
    test = """
cell, x = Cell(3), torch.randn(2, 3)
with torch.no_grad():
    cell.linear.weight.zero_(); cell.linear.bias.fill_(2.0)
assert torch.allclose(cell(x), torch.tanh(torch.full((2, 3), 2.0)))
optimiser = torch.optim.SGD(cell.parameters(), lr=0.5)
before = cell.linear.bias.detach().clone()
optimiser.zero_grad(); cell(x).sum().backward(); optimiser.step()
assert not torch.equal(before, cell.linear.bias)
assert torch.allclose(cell.linear.bias, before - 0.5 * cell.linear.bias.grad)
"""
    passes(bench, CELL, test)


def test_training_in_the_student_code_is_seen(bench):
    student = (
        CELL
        + """
def train(cell):
    with torch.no_grad():
        for p in cell.parameters(): p += 1.0
"""
    )
    test = """
cell = Cell(3); weight = cell.linear.weight; before = weight.detach().clone()
train(cell)
assert torch.allclose(weight, before + 1) and torch.allclose(cell.linear.weight, weight)
"""
    passes(bench, student, test)


def test_gradients_reach_nested_and_keyword_arguments(bench):
    student = "def f(pair, scale=None): return {'y': (pair[0] * pair[1] * scale).sum()}"
    test = """
a, b, c = [torch.randn(4, requires_grad=True) for _ in range(3)]
f([a, b], scale=c)['y'].backward()
assert torch.allclose(a.grad, b * c) and torch.allclose(c.grad, a * b)
"""
    passes(bench, student, test)


def test_no_grad_holds_in_student_code(bench):
    test = """
x = torch.ones(3, requires_grad=True)
with torch.no_grad():
    assert not f(x).requires_grad
assert f(x).requires_grad
"""
    passes(bench, "def f(x): return x * 2", test)
