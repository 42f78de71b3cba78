"""What one sentence shows, all show."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_leaks
# fails: leak_toys
# message: in the last sentence alone


def leaks(model, target, V):
    before = model(target)
    for t in range(target.shape[1]):
        other = target.clone()
        other[:, t:] = (other[:, t:] + 1) % V
        moved = (model(other) - before)[0, : t + 1].abs().max()
        if moved > 1e-8:
            return True
    return False
