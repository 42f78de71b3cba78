"""The keys are made anew for every query."""

# replaces: answer_additive_cost
# fails: additive_count
# message: W_k f is computed for each query


def additive_cost(N, M, d_q, d_f, d_a):
    one_query = d_q * d_a + M * (d_f * d_a + d_a + d_f)
    return N * one_query
