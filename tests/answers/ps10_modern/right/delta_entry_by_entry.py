"""Plain Python on lists, from the transposed memory."""

# replaces: answer_delta


def delta_rule(q, k, v, alpha, beta, S_0):
    M, y = [[float(x) for x in column] for column in zip(*S_0, strict=True)], []
    n, m = len(M), len(M[0])
    for t in range(len(k)):
        M = [[alpha[t] * x for x in row] for row in M]
        said = [sum(k[t][i] * M[i][j] for i in range(n)) for j in range(m)]
        for i in range(n):
            for j in range(m):
                M[i][j] += beta[t] * k[t][i] * (v[t][j] - said[j])
        y.append([sum(q[t][i] * M[i][j] for i in range(n)) for j in range(m)])
    return y, [list(row) for row in zip(*M, strict=True)]
