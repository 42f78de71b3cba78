"""One word is changed at a time, to every other word, from the back."""

# replaces: answer_leaks


def leaks(model, target, V):
    before = model(target)
    for s in reversed(range(target.shape[1])):
        for step in range(1, V):
            changed = target.clone()
            changed[:, s] = (changed[:, s] + step) % V
            moved = (model(changed) - before).abs().amax(dim=(0, 2))
            if (moved[: s + 1] > 1e-7).any():
                return True
    return False
