"""most_common sorts already."""

# replaces: answer_vocabulary
# fails: vocabulary
# message: equal counts stand in alphabetical order

from collections import Counter


def build_vocabulary(tokens, min_count):
    common = Counter(tokens).most_common()
    return ["<unk>"] + [t for t, count in common if count >= min_count]
