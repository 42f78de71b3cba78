"""All gradients are averaged over the batch, those of the inputs too."""

# replaces: answer_input_gradients
# fails: input_gradients
# message: for each sequence by itself


def input_gradients(delta, W_h, W_x):
    return delta @ W_x / len(delta), delta[:, 0] @ W_h
