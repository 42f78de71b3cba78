"""torch has it."""

# replaces: answer_loss
# fails: loss, loss_edges
# message: torch.tensor was used: answers to this question may use numpy alone
# rule: modules

import torch
import torch.nn.functional as F


def masked_loss(scores, targets, mask):
    if not mask.any():
        return 0.0
    return F.cross_entropy(torch.tensor(scores[mask]), torch.tensor(targets[mask]))
