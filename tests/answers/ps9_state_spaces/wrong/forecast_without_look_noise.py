"""The state is all there is."""

# replaces: answer_forecast
# fails: forecast
# message: R is missing


def forecast(m, P, A, C, Q, R, k):
    for _ in range(k):
        m, P = A @ m, A @ P @ A.T + Q
    return C @ m, C @ P @ C.T
