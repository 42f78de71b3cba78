"""A ** k is A to the power of k."""

# replaces: answer_forecast
# fails: forecast
# message: the mean is off


def forecast(m, P, A, C, Q, R, k):
    noise = sum(A**n @ Q @ (A**n).T for n in range(1, k)) + Q
    return C @ A**k @ m, C @ (A**k @ P @ (A**k).T + noise) @ C.T + R
