"""Sorting the tokens brings equal ones together."""

# replaces: answer_vocabulary
# fails: vocabulary
# message: argument number 1 was changed in place

from itertools import groupby


def build_vocabulary(tokens, min_count):
    tokens.sort()
    runs = [(token, len(list(run))) for token, run in groupby(tokens)]
    runs = sorted((-count, token) for token, count in runs if count >= min_count)
    return ["<unk>", *(token for _, token in runs)]
