"""Ranks by sorting, the logarithm of a factorial, records one by one."""

# replaces: answer_exposure

import math

import numpy as np


def exposure(scores, secret):
    order = np.sort(-scores)
    first = np.searchsorted(order, -scores[secret], side="left")
    last = np.searchsorted(order, -scores[secret], side="right")
    return float(np.log2(len(scores) / ((first + 1 + last) / 2)))


# replaces: answer_chance


def chance_exposure(n):
    return math.log2(n) - math.lgamma(n + 1) / (n * math.log(2))


# replaces: answer_extract


def extract(next_scores, prompt, length):
    if length == 0:
        return []
    scores = next_scores(prompt)
    word = max(range(len(scores)), key=lambda w: scores[w])
    return [word, *extract(next_scores, [*prompt, word], length - 1)]


# replaces: answer_private


def private_gradient(gradients, C, sigma, noise, expected):
    total = {name: sigma * C * np.asarray(z) for name, z in noise.items()}
    B = len(next(iter(gradients.values())))
    for i in range(B):
        one = {name: g[i] for name, g in gradients.items()}
        length = np.linalg.norm(np.concatenate([np.ravel(a) for a in one.values()]))
        factor = C / length if length > C else 1.0
        total = {name: total[name] + factor * one[name] for name in total}
    return {name: t / expected for name, t in total.items()}
