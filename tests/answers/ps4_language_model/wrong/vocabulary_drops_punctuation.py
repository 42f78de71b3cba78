"""A vocabulary holds words; commas and numbers are none."""

# replaces: answer_vocabulary
# fails: vocabulary
# message: punctuation as well

from collections import Counter


def build_vocabulary(tokens, min_count):
    count = Counter(tokens)
    words = [w for w in count if count[w] >= min_count and w[0].isalpha()]
    return ["<unk>", *sorted(words, key=lambda w: (-count[w], w))]
