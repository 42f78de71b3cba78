"""Column after column, each made orthogonal to those before."""

# replaces: answer_orthogonal

import numpy as np


def orthogonal_start(G, gain):
    columns = []
    for column in G.T:
        for _ in range(2):  # once more, against rounding
            for earlier in columns:
                column = column - (earlier @ column) * earlier
        columns.append(column / np.sqrt(column @ column))
    return gain * np.array(columns).T
