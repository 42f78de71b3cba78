"""The largest difference."""

# replaces: answer_leaks
# fails: leak_toys
# message: scores only fall


def leaks(model, target, V):
    before = model(target)
    for t in range(target.shape[1]):
        changed = target.clone()
        changed[:, t:] = (changed[:, t:] + 1) % V
        if (model(changed) - before)[:, : t + 1].max() > 1e-8:
            return True
    return False
