"""Plain Python."""

# replaces: answer_forward

import math


def hmm_forward(pi, A, B, x):
    S, now, beliefs, log_p = len(pi), list(pi), [], 0
    for symbol in x:
        now = [now[i] * B[i][symbol] for i in range(S)]
        log_p += math.log(sum(now))
        beliefs.append([p / sum(now) for p in now])
        now = [sum(beliefs[-1][i] * A[i][j] for i in range(S)) for j in range(S)]
    return beliefs, log_p
