"""The best way to the end from every state, then forwards."""

# replaces: answer_viterbi

import math


def viterbi(pi, A, B, x):
    def log(p):
        return math.log(p) if p > 0 else -math.inf

    S, T = len(pi), len(x)
    best = [0.0] * S
    choice = []
    for t in range(T - 1, 0, -1):
        new, pick = [], []
        for i in range(S):
            scores = [log(A[i, j]) + log(B[j, x[t]]) + best[j] for j in range(S)]
            j = max(range(S), key=scores.__getitem__)
            pick.append(j)
            new.append(scores[j])
        best = new
        choice.append(pick)
    start = [log(pi[i]) + log(B[i, x[0]]) + best[i] for i in range(S)]
    path = [max(range(S), key=start.__getitem__)]
    for pick in reversed(choice):
        path.append(pick[path[-1]])
    return path
