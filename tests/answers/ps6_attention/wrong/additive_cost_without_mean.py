"""The scores alone."""

# replaces: answer_additive_cost
# fails: additive_count
# message: weighted mean of the features is missing


def additive_cost(N, M, d_q, d_f, d_a):
    return N * d_q * d_a + M * d_f * d_a + N * M * d_a
