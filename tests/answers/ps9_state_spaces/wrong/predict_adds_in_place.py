"""Plus-equal saves a line."""

# replaces: answer_predict
# fails: predict
# message: changed in place


def predict(m, P, A, Q):
    Q += A @ P @ A.T
    return A @ m, Q
