"""Pair by pair, with the whole softmax."""

# replaces: answer_dpo_gradient

import math

import numpy as np


def log_softmax(x):
    x = x - np.max(x)
    return x - np.log(np.sum(np.exp(x)))


def dpo_gradient(theta, theta_ref, winners, losers, beta):
    lead, p = log_softmax(theta) - log_softmax(theta_ref), np.exp(log_softmax(theta))
    g, eye = np.zeros(len(theta)), np.eye(len(theta))
    for i, j in zip(winners, losers, strict=True):
        z = beta * (lead[i] - lead[j])
        pull = 1 / (1 + math.exp(z)) if z < 700 else 0.0
        g -= beta * pull * ((eye[i] - p) - (eye[j] - p))
    return g / len(winners)
