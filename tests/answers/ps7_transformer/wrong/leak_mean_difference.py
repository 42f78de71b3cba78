"""One number says how much it moves: the mean."""

# replaces: answer_leaks
# fails: leak_toys
# message: what moves adds up to 0


def leaks(model, target, V):
    before = model(target)
    for t in range(target.shape[1]):
        changed = target.clone()
        changed[:, t:] = (changed[:, t:] + 1) % V
        if abs((model(changed) - before)[:, : t + 1].mean()) > 1e-8:
            return True
    return False
