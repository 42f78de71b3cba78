"""Each query looks at a slice; a list of lists comes back."""

# replaces: answer_grouped

import math


def grouped_attention(q, k, v):
    H, G, out = len(q), len(k), []
    for h in range(H):
        keys, values, rows = k[h // (H // G)], v[h // (H // G)], []
        for t in range(len(q[h])):
            scores = [
                sum(a * b for a, b in zip(q[h][t], key, strict=True))
                for key in keys[: t + 1]
            ]
            scores = [s / math.sqrt(len(q[h][t])) for s in scores]
            e = [math.exp(s - max(scores)) for s in scores]
            seen = zip(*values[: t + 1], strict=True)
            rows.append(
                [sum(a * b for a, b in zip(e, c, strict=True)) / sum(e) for c in seen]
            )
        out.append(rows)
    return out
