"""One step less, from one step later."""

# replaces: answer_forecast


def forecast(m, P, A, C, Q, R, k):
    if k == 0:
        return C @ m, C @ P @ C.T + R
    return forecast(A @ m, A @ P @ A.T + Q, A, C, Q, R, k - 1)
