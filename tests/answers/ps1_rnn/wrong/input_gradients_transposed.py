"""W_x.T, as in the forward pass; dh_0 is right."""

# replaces: answer_input_gradients
# fails: input_gradients
# message: the shapes do not fit


def input_gradients(delta, W_h, W_x):
    return delta @ W_x.T, delta[:, 0] @ W_h
