"""The smallest float under every logarithm."""

# replaces: answer_viterbi
# fails: viterbi
# message: this path is impossible

import numpy as np


def viterbi(pi, A, B, x):
    lp, lA, lB = np.log(pi + 1e-300), np.log(A + 1e-300), np.log(B + 1e-300)
    s, back = lp + lB[:, x[0]], []
    for sym in x[1:]:
        c = s[:, None] + lA
        back.append(c.argmax(0))
        s = c.max(0) + lB[:, sym]
    path = [int(s.argmax())]
    for b in reversed(back):
        path.append(int(b[path[-1]]))
    return path[::-1]
