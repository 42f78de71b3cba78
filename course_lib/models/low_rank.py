r"""LoRA: a frozen matrix and a trained product of two thin ones. Lecture 12b.

$$W' = W + B A, \qquad B\ (d_\text{out}, r), \quad A\ (r, d_\text{in})$$

    adapted = with_low_rank(model, rank=4)     # a copy; only its A and B are trained
    train(trained(adapted), ...)
    plain = merged(adapted, model)             # ordinary matrices again

B starts at zero, so that the adapted model begins as the model itself.
"""

import copy
from typing import TypeVar, cast

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.utils import parametrize

Model = TypeVar("Model", bound=nn.Module)


class LowRank(nn.Module):
    """W -> W + B A; W itself is not changed."""

    def __init__(self, W: Float[Tensor, "d_out d_in"], rank: int) -> None:
        super().__init__()
        d_out, d_in = W.shape
        if not 1 <= rank <= min(W.shape):
            raise ValueError(f"rank {rank} for a matrix of {d_out} by {d_in}")
        self.A = nn.Parameter(torch.randn(rank, d_in) / d_in**0.5)
        self.B = nn.Parameter(torch.zeros(d_out, rank))

    def forward(self, W: Float[Tensor, "d_out d_in"]) -> Float[Tensor, "d_out d_in"]:
        return W + self.B @ self.A


def matrices(model: nn.Module) -> list[tuple[nn.Module, str]]:
    """Every matrix inside the model's layers, as (module, name)."""
    layers = model.get_submodule("layers")
    return [
        (module, name)
        for module in layers.modules()
        for name, parameter in module.named_parameters(recurse=False)
        if parameter.dim() == 2
    ]


def with_low_rank(model: Model, rank: int) -> Model:
    """A copy: all of it frozen, and beside each matrix of its layers a product B A."""
    adapted = copy.deepcopy(model).requires_grad_(False)
    for module, name in matrices(adapted):
        part = LowRank(module.get_parameter(name), rank)
        parametrize.register_parametrization(module, name, part)
    return adapted


@torch.no_grad()
def merged(adapted: nn.Module, base: Model) -> Model:
    """A copy of the base model with B A added to each of its matrices."""
    plain = copy.deepcopy(base).to(next(adapted.parameters()).dtype)
    for path, module in adapted.named_modules():
        if parametrize.is_parametrized(module):
            for name in cast("nn.ModuleDict", module.parametrizations):
                old = plain.get_submodule(path).get_parameter(name)
                old.copy_(getattr(module, name))
    return plain


def trained(model: nn.Module) -> list[nn.Parameter]:
    """The parameters that training may change."""
    return [p for p in model.parameters() if p.requires_grad]
