"""The lecture notes have a transpose on one side, so here it is."""

# replaces: answer_jacobian
# fails: jacobian
# message: it is transposed


def step_jacobian(states, t, W_h):
    return W_h.T * (1 - states[:, t + 1] ** 2)[:, None, :]
