"""What comes later is hidden by padding."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_leaks
# fails: leak_toys
# message: which is padding in all rows


def leaks(model, target, V):
    before = model(target)
    for t in range(target.shape[1]):
        changed = target.clone()
        changed[:, t:] = PAD
        if (model(changed) - before)[:, : t + 1].abs().max() > 1e-8:
            return True
    return False
