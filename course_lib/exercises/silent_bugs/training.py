"""Bugs in training: five programs as they should be."""

import torch
from numpy.random import Generator
from torch import Tensor, nn

from course_lib.exercises.silent_bugs.properties import apart, tensor


def descend(w: Tensor, x: Tensor, y: Tensor, steps: int) -> Tensor:
    """Plain gradient descent on a linear model: each step has a gradient of its own."""
    w = w.clone().requires_grad_()
    optimiser = torch.optim.SGD([w], lr=0.1)
    for _ in range(steps):
        optimiser.zero_grad()
        ((x @ w - y) ** 2).mean().backward()
        optimiser.step()
    return w.detach()


def linear_task(rng: Generator) -> tuple:
    x, w = tensor(rng, 11, 3), tensor(rng, 3)
    return tensor(rng, 3), x, x @ w, int(rng.integers(2, 6))


def descend_fault(got: Tensor, w: Tensor, x: Tensor, y: Tensor, steps: int) -> str:
    direct, piled, pile = w.clone(), w.clone(), torch.zeros_like(w)
    for _ in range(steps):
        direct -= 0.1 * 2 * x.mT @ (x @ direct - y) / len(x)
        pile += 2 * x.mT @ (x @ piled - y) / len(x)
        piled -= 0.1 * pile
    if torch.allclose(got, direct):
        return apart(got, descend(w, x, y, steps))
    if torch.allclose(got, w):
        return f"After {steps} steps the weights are where they were."
    wrong = f"After {steps} steps it is not where gradient descent would be."
    if torch.allclose(got, piled):
        return f"{wrong} After the first step it is."
    return f"{wrong} {apart(got, direct)}"


def clipped_step(w: Tensor, x: Tensor, y: Tensor, largest: float) -> Tensor:
    """One step whose gradient is clipped before it is taken."""
    w = w.clone().requires_grad_()
    optimiser = torch.optim.SGD([w], lr=1.0)
    ((x @ w - y) ** 2).mean().backward()
    nn.utils.clip_grad_norm_([w], largest)
    optimiser.step()
    return w.detach()


def steep_task(rng: Generator) -> tuple:
    """The limit is far below the length of the gradient, or far above it."""
    x, w = tensor(rng, 11, 3), tensor(rng, 3)
    return w + 3, x, x @ w, float(rng.uniform(0.1, 0.5) * rng.choice([1, 1000]))


def clipped_fault(got: Tensor, w: Tensor, x: Tensor, y: Tensor, largest: float) -> str:
    length = (got - w).norm().item()
    if length > largest + 1e-4:
        return f"At rate 1 the step is {length:.2f} long; it may have {largest:.2f}."
    right = clipped_step(w, x, y, largest)
    short = (right - w).norm().item()
    if short < largest - 1e-4 and abs(length - short) > 1e-4:
        return (
            f"A gradient of length {short:.2f} is shorter than {largest:.2f}: it "
            f"should stay as it is. This step is {length:.2f} long."
        )
    if wrong := apart(got, right):
        return f"The gradient keeps its direction, only its length is cut. {wrong}"
    return ""


def evaluate(model: nn.Module, x: Tensor) -> Tensor:
    """What the model says when it is not being trained; afterwards it is as before.

    A model left in eval mode would go on training without dropout: the next silent bug.
    """
    was_training = model.training
    model.eval()
    with torch.no_grad():
        said = model(x)
    model.train(was_training)
    return said


def model_with_dropout(rng: Generator) -> tuple:
    torch.manual_seed(int(rng.integers(1000)))
    model = nn.Sequential(nn.Linear(5, 7), nn.ReLU(), nn.Dropout(0.5), nn.Linear(7, 2))
    return model.double(), tensor(rng, 3, 5)


def evaluate_fault(got: Tensor, model: nn.Module, x: Tensor) -> str:
    if got.requires_grad:
        return "The output still carries a graph: evaluation needs no gradient."
    wrong = apart(got, evaluate(model, x))
    if not wrong:
        return ""
    return f"Dropout is still at work: asked twice, a model may say two things. {wrong}"


def gradient_in_chunks(w: Tensor, x: Tensor, size: int) -> Tensor:
    """Truncated backpropagation: the state goes on, the gradient does not."""
    w = w.clone().requires_grad_()
    h = torch.zeros(())
    for chunk in x.split(size):
        h = h.detach()
        for x_t in chunk:
            h = torch.tanh(w * h + x_t)
        h.backward()
    assert w.grad is not None
    return w.grad


def weight_and_text(rng: Generator) -> tuple:
    w, size = torch.tensor(rng.uniform(0.7, 1.3)), int(rng.integers(2, 4))
    return w, 0.3 * tensor(rng, 7), size


def chunks_fault(got: Tensor, w: Tensor, x: Tensor, size: int) -> str:
    want = gradient_in_chunks(w, x, size)
    if torch.isclose(got, want):
        return ""
    alone = sum(gradient_in_chunks(w, piece, size) for piece in x.split(size))
    if torch.isclose(got, torch.as_tensor(alone)):
        return "Each chunk begins with an empty state: what was read is forgotten."
    wrong = f"The gradient is {got:.4f}. Within chunks of {size} it is {want:.4f}"
    if torch.isclose(got, gradient_with_cuts(w, x, size, every=len(x))):
        return (
            f"{wrong}: it has gone back further, and on a long text memory would grow "
            "with it."
        )
    if torch.isclose(got, gradient_with_cuts(w, x, size, every=1)):
        return f"{wrong}: it is cut at every step, not only between chunks."
    return f"{wrong}."


def gradient_with_cuts(w: Tensor, x: Tensor, size: int, every: int) -> Tensor:
    """The loss of chunks of this size, the gradient cut after `every` steps."""
    w = w.clone().requires_grad_()
    h, loss = torch.zeros(()), torch.zeros(())
    for t, x_t in enumerate(x):
        h = torch.tanh(w * (h.detach() if t % every == 0 else h) + x_t)
        if (t + 1) % size == 0 or t + 1 == len(x):
            loss = loss + h
    return torch.autograd.grad(loss, w)[0]


def stack_of_layers(width: int, depth: int) -> nn.Sequential:
    """Each layer has weights of its own."""
    return nn.Sequential(*(nn.Linear(width, width) for _ in range(depth)))


def width_and_depth(rng: Generator) -> tuple:
    return int(rng.integers(2, 6)), int(rng.integers(2, 5))


def stack_fault(got: nn.Module, width: int, depth: int) -> str:
    if not isinstance(got, nn.Sequential):
        return f"An nn.Sequential is expected, which can be called, not {type(got)}."
    others = [type(m).__name__ for m in got if not isinstance(m, nn.Linear)]
    if others:
        return f"Linear layers are expected and nothing else; here is {others[0]}."
    own = {p.data_ptr(): p.numel() for p in got.parameters()}  # each memory once
    count = sum(own.values())
    want = depth * (width * width + width)
    if count != want:
        return f"{depth} layers of width {width} have {want} parameters; these {count}."
    sizes = [tuple(p.shape) for p in got.parameters() if p.ndim == 2]
    if sizes != [(width, width)] * depth:
        return f"{depth} matrices of {width} x {width} are expected; here are {sizes}."
    return ""
