"""torch has it."""

# replaces: answer_norm
# fails: norm
# message: write it out: layer_norm does what this question asks you for

import torch.nn.functional as F


def layer_norm(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, eps)
