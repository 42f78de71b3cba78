"""A dictionary is sorted by letter."""

# replaces: answer_vocabulary
# fails: vocabulary
# message: is yours alphabetical

from collections import Counter


def build_vocabulary(tokens, min_count):
    counts = Counter(tokens)
    return ["<unk>"] + sorted(t for t in counts if counts[t] >= min_count)
