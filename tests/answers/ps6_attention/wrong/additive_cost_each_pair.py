"""The formula for one pair, times the number of pairs."""

# replaces: answer_additive_cost
# fails: additive_count
# message: computed for each pair


def additive_cost(N, M, d_q, d_f, d_a):
    return N * M * (d_q * d_a + d_f * d_a + d_a) + N * M * d_f
