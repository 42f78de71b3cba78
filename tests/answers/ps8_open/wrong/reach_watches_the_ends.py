"""The first and the last place are the farthest apart."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_reach
# fails: reach
# message: layers; you say


def layers_needed(mask):
    step = mask | np.eye(len(mask), dtype=bool)
    seen = np.eye(len(mask), dtype=bool)
    for layers in range(len(mask)):
        if seen[[0, -1]].all() and seen[:, [0, -1]].all():
            return layers
        seen = step @ seen
    return -1
