"""The loss sees the score of the target word, so that is the one to watch."""

# replaces: answer_leaks
# fails: leak_toys
# message: moves the score of another word alone


def leaks(model, target, V):
    before = model(target).gather(2, target[:, :, None])
    for t in range(target.shape[1]):
        changed = target.clone()
        changed[:, t:] = (changed[:, t:] + 1) % V
        after = model(changed).gather(2, target[:, :, None])
        if (after - before)[:, : t + 1].abs().max() > 1e-8:
            return True
    return False
