"""Products go down to -10 000, so -10 000 hides."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_grouped
# fails: grouped
# message: what is hidden must lie below


def grouped_attention(q, k, v):
    H, T, d = q.shape
    k, v = (np.repeat(part, H // len(k), axis=0) for part in (k, v))
    scores = q @ k.swapaxes(1, 2) / np.sqrt(d)
    scores = np.where(np.tri(T, dtype=bool), scores, -10_000.0)
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    return e / e.sum(axis=2, keepdims=True) @ v
