"""Quotients of quotients."""

# replaces: answer_implicit

import math


def implicit_reward(pi, ref, beta):
    first = pi[0] / ref[0]
    return [beta * math.log(p / r / first) for p, r in zip(pi, ref, strict=True)]
