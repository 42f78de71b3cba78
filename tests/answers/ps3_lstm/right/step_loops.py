"""Plain loops over batch, blocks and units, with other names and math.exp."""

# replaces: answer_step

import math

import numpy as np


def lstm_step(inputs, before, cell, weights, recurrent, bias):
    rows, width = before.shape
    gates, after, new = np.zeros((rows, 4 * width)), 0 * before, 0 * cell
    for n in range(rows):
        for k in range(4 * width):
            a = bias[k]
            for j in range(inputs.shape[1]):
                a += weights[k, j] * inputs[n, j]
            for j in range(width):
                a += recurrent[k, j] * before[n, j]
            gates[n, k] = math.tanh(a) if k < width else 1 / (1 + math.exp(-a))
        for j in range(width):
            g, f, i, o = gates[n, j::width]
            new[n, j] = f * cell[n, j] + i * g
            after[n, j] = o * math.tanh(new[n, j])
    return gates, after, new
