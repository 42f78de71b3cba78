"""If anything moves, something leaks."""

# replaces: answer_leaks
# fails: leak_toys, leak_networks
# message: reads earlier words only


def leaks(model, target, V):
    before = model(target)
    for t in range(target.shape[1]):
        changed = target.clone()
        changed[:, t] = (changed[:, t] + 1) % V
        if (model(changed) - before).abs().max() > 1e-8:
            return True
    return False
