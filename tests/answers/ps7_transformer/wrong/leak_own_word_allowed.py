"""Only words after t are the future."""

# replaces: answer_leaks
# fails: leak_toys, leak_networks
# message: no shift


def leaks(model, target, V):
    before = model(target)
    for t in range(target.shape[1]):
        changed = target.clone()
        changed[:, t + 1 :] = (changed[:, t + 1 :] + 1) % V
        if (model(changed) - before)[:, : t + 1].abs().max() > 1e-8:
            return True
    return False
