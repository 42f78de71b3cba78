"""Scores are floats, so a tie is a matter of rounding."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exposure
# fails: exposed
# message: the exposure


def exposure(scores, secret):
    tied = np.isclose(scores, scores[secret])
    better = ((scores > scores[secret]) & ~tied).sum()
    return np.log2(len(scores)) - np.log2(better + (tied.sum() + 1) / 2)
