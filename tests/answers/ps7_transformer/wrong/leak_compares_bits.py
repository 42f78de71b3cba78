"""An honest model gives the very same numbers."""

# replaces: answer_leaks
# fails: leak_toys
# message: what moves is rounding

import torch


def leaks(model, target, V):
    before = model(target)
    for t in range(target.shape[1]):
        changed = target.clone()
        changed[:, t:] = (changed[:, t:] + 1) % V
        if not torch.equal(model(changed)[:, : t + 1], before[:, : t + 1]):
            return True
    return False
