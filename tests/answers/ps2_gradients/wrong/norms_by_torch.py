"""torch has the matrix norm."""

# replaces: answer_norms
# fails: norms
# message: torch.eye was used: answers to this question may use numpy alone
# rule: modules

import numpy as np
import torch


def norms_by_lag(J):
    product, norms = torch.eye(J.shape[1]).double(), [1.0]
    for step in torch.tensor(J).flip(0):
        product = product @ step
        norms.append(torch.linalg.matrix_norm(product, 2).item())
    return np.array(norms)
