"""Each weight depends on its own score."""

# replaces: answer_softmax_back
# fails: softmax_back
# message: only the diagonal


def softmax_backward(weights, d_weights):
    return weights * (1 - weights) * d_weights
