"""Broadcasting puts the slopes where they belong."""

# replaces: answer_jacobian
# fails: jacobian
# message: row i of W_h


def step_jacobian(states, t, W_h):
    return (1 - states[:, t + 1] ** 2)[:, None, :] * W_h
