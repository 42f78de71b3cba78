"""The derivative is taken at h_t, so the slope is 1 - h_t^2."""

# replaces: answer_jacobian
# fails: jacobian
# message: not of h_t


def step_jacobian(states, t, W_h):
    return (1 - states[:, t] ** 2)[:, :, None] * W_h
