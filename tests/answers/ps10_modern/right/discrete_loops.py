"""Number by number."""

# replaces: answer_discretise

import math


def discretise(delta, A):
    a, s = [], []
    for steps in delta:
        pairs = [[(x, y) for y in row] for x, row in zip(steps, A, strict=True)]
        a.append([[math.exp(x * y) for x, y in row] for row in pairs])
        s.append([[math.expm1(x * y) / y if y else x for x, y in row] for row in pairs])
    return a, s
