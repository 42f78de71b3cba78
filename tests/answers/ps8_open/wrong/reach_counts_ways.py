"""A power of the matrix counts the ways; where there is none, it is 0."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_reach
# fails: reach
# message: are ways counted


def layers_needed(mask):
    step = (mask | np.eye(len(mask), dtype=bool)).astype(np.int64)
    ways = np.eye(len(mask), dtype=np.int64)
    for layers in range(len(mask)):
        if (ways > 0).all():
            return layers
        ways = ways @ step
    return -1
