"""The next look."""

# replaces: answer_forecast
# fails: forecast
# message: off by up to


def forecast(m, P, A, C, Q, R, k):
    m, P = A @ m, A @ P @ A.T + Q
    return C @ m, C @ P @ C.T + R
