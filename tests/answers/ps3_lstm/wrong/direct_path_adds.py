"""Gates along a path add up."""

# replaces: answer_direct_path
# fails: direct_path
# message: the gates are multiplied, not added


def direct_path(f, t_0):
    return f[:, t_0:].sum(axis=1)
