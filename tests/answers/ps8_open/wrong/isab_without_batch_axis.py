"""The points are handed on as they are."""

# replaces: answer_isab
# fails: isab_block
# message: each needs a batch axis


def isab(x, inducing, mab_a, mab_b):
    return mab_b(x, mab_a(inducing, x))
