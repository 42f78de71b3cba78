"""The noise is there before the move."""

# replaces: answer_predict
# fails: predict
# message: the noise is not moved by A


def predict(m, P, A, Q):
    return A @ m, A @ (P + Q) @ A.T
