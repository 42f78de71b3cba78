"""The exponential's derivative, and the sum is taken for a constant."""

# replaces: answer_softmax_back
# fails: softmax_back
# message: the sum is missing


def softmax_backward(weights, d_weights):
    return weights * d_weights
