"""The step had W_h.T, so its gradient has it as well."""

# replaces: answer_input_gradients
# fails: initial_gradient
# message: without a transpose


def input_gradients(delta, W_h, W_x):
    return delta @ W_x, delta[:, 0] @ W_h.T
