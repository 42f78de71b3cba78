"""One entry at a time, in plain Python."""

# replaces: answer_positions

import math

import torch


def sinusoids(N, d, start=0):
    rows = []
    for n in range(start, start + N):
        row = []
        for i in range(d // 2):
            angle = n / 10_000 ** (2 * i / d)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows, dtype=torch.float64)
