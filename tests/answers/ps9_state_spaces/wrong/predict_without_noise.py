"""The state moves, and its covariance with it."""

# replaces: answer_predict
# fails: predict
# message: the covariance of the noise is missing


def predict(m, P, A, Q):
    return A @ m, A @ P @ A.T
