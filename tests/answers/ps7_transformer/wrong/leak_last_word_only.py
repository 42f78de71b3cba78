"""If the last word does not matter to the others, none does."""

# replaces: answer_leaks
# fails: leak_toys, leak_networks
# message: no other place peeps


def leaks(model, target, V):
    changed = target.clone()
    changed[:, -1] = (changed[:, -1] + 1) % V
    return bool(((model(changed) - model(target)).abs() > 1e-8).any())
