"""More often than min_count."""

# replaces: answer_vocabulary
# fails: vocabulary
# message: exactly min_count times belong

from collections import Counter


def build_vocabulary(tokens, min_count):
    counts = Counter(tokens)
    known = [t for t in counts if counts[t] > min_count]
    return ["<unk>"] + sorted(known, key=lambda t: (-counts[t], t))
