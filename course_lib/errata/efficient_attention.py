"""How attention is made cheaper."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
import numpy as np
import torch
from torch import nn

from course_lib.errata.evidence import decide, numbers


class Tally:
    """Matrix products that count their multiply-adds."""

    def __init__(self) -> None:
        self.count = 0

    def multiply(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        self.count += a.shape[0] * a.shape[1] * b.shape[1]
        return a @ b


def features_pay_when_the_matrix_is_never_formed() -> str:
    """E36: phi(Q) (phi(K)^T V) is cheap; A formed from features is dearer than QK^T."""
    N, d, m = 1024, 16, 32
    (phi_q, phi_k), (q, k, v) = numbers(3, 2, N, m), numbers(4, 3, N, d)
    exact, formed, never = Tally(), Tally(), Tally()
    exact.multiply(q, k.T)
    formed.multiply(phi_q, phi_k.T)
    never.multiply(phi_q, never.multiply(phi_k.T, v))
    cheaper = [formed.count < exact.count, never.count < exact.count]
    what = "cheaper than QK^T: A formed, A never formed?"
    settled = decide(what, cheaper, [True, False], [False, True], bound=0)
    ratios = formed.count / exact.count, exact.count / never.count
    return f"{settled}; {ratios[0]:.0f} times as much, 1/{ratios[1]:.0f}"


def attention_is_a_kernel_divided_by_its_row_sums() -> str:
    """E58: A = D^-1 kappa(Q, K); the normaliser has to be approximated too."""
    q, k = numbers(1, 4, 6), numbers(2, 5, 6)
    truth = nn.functional.scaled_dot_product_attention(q, k, torch.eye(5).double())
    kernel = torch.exp(q @ k.T / 6**0.5)
    rows = np.round(kernel.sum(1).numpy(), 1).tolist()
    divided = kernel / kernel.sum(1, keepdim=True)
    settled = decide("weights against torch", truth, kernel, divided)
    return f"{settled}; the kernel's rows add up to {rows}"
