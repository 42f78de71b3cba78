"""Walks back from the end to the first lag alive."""

# replaces: answer_horizon


def horizon(norms, share):
    k = len(norms)
    while norms[k - 1] < share * norms[0]:
        k -= 1
    return k
